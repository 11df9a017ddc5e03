import type { Db } from './database.ts'

type RunAtOnce = (sql: string, parameters: readonly unknown[]) => unknown[]
type RunInTurn = (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>
type RunInLongTurn = (sql: string, parameters: readonly unknown[], longMs?: number) => ReturnType<RunInTurn>

const runners = new WeakMap<Db, RunInTurn>()
const ofTransactions = new WeakMap<Db, RunInLongTurn>()

/** Registers how a compiled statement runs on a connection without Kysely's queue, for engines without a network. */
export const runAtOnceOn = (db: Db, run: RunAtOnce): void => {
  runners.set(db, run)
}

/**
 * Registers how a statement runs in a transaction of a connection. `longMs` is passed to the turn of the event loop.
 */
export const runInTransactionsOf = (db: Db, run: RunInLongTurn): void => {
  ofTransactions.set(db, run)
}

/** A transaction has the connection until the returned function is called. */
export const openTransaction = (db: Db, trx: Db, longMs?: number): (() => void) => {
  const run = ofTransactions.get(db)
  if (!run) return () => undefined
  runners.set(trx, longMs === undefined ? run : (sql, parameters) => run(sql, parameters, longMs))
  // Later statements get Kysely's error that the transaction has ended.
  return () => void runners.delete(trx)
}

/** Undefined: statements of this connection are asynchronous. */
export const findRunAtOnce = (db: Db): RunInTurn | undefined => runners.get(db)
