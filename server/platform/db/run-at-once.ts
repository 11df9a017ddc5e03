import type { Db } from './database.ts'

type RunAtOnce = (sql: string, parameters: readonly unknown[]) => unknown[]
type RunInTurn = (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>
type RunInLongTurn = (sql: string, parameters: readonly unknown[], longMs?: number) => ReturnType<RunInTurn>

const runners = new WeakMap<Db, RunInTurn>()
const ofTransactions = new WeakMap<Db, RunInLongTurn>()

/** An engine without a network says here how a compiled statement runs on a connection past Kysely's queue. */
export const runAtOnceOn = (db: Db, run: RunAtOnce): void => {
  runners.set(db, run)
}

/** The same for statements of the transactions that begin on a connection; `longMs` as a turn of the loop takes it. */
export const runInTransactionsOf = (db: Db, run: RunInLongTurn): void => {
  ofTransactions.set(db, run)
}

/** A transaction has the connection; until the function it answers is called. */
export const openTransaction = (db: Db, trx: Db, longMs?: number): (() => void) => {
  const run = ofTransactions.get(db)
  if (!run) return () => undefined
  runners.set(trx, longMs === undefined ? run : (sql, parameters) => run(sql, parameters, longMs))
  // What comes later is told by Kysely that the transaction is over.
  return () => void runners.delete(trx)
}

/** Undefined: statements of this connection wait for their answer like all others. */
export const findRunAtOnce = (db: Db): RunInTurn | undefined => runners.get(db)
