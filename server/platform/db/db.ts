import type { Database as SqliteDatabase } from 'better-sqlite3'
import { type CompiledQuery, sql } from 'kysely'
import { type LoopTurn, longBulkTurnMs } from '#server/platform/work/loop-turn.ts'
import type { Db } from './database.ts'
import { isDatabaseTrouble } from './faults.ts'
import { keptForEngine } from './kept-for-engine.ts'
import { findRunAtOnce, openTransaction } from './run-at-once.ts'
import type { Signals } from './signals.ts'

/** @see Databases.version */
export type DataVersion = number | string | undefined

/**
 * The connections to a database. `write` is one connection: transactions queue, so awaiting the network inside one
 * blocks everybody, and using `write` inside its own transaction waits forever. `read` never waits for writers and sees
 * committed data.
 */
export interface Databases {
  readonly write: Db
  /**
   * Appends to the webhook journal, in order of its numbers. On PostgreSQL it is a connection of its own, so that
   * storing webhooks waits for no other transaction. Otherwise the same as `write`.
   */
  readonly journal: Db
  readonly read: Db
  /**
   * Changes whenever any process has committed since the last call. Undefined: uncommitted data would be read. On
   * SQLite a number that costs microseconds; on PostgreSQL a round trip.
   */
  version(): DataVersion | Promise<DataVersion>
  /** Messages to and from other processes on the same database. */
  readonly signals: Signals
  /** Yields to the event loop. Called before each transaction and by other long work. */
  readonly turn: LoopTurn
  /**
   * Counts refusals of the PostgreSQL server to write because its disk is full; absent on SQLite, whose disk can be
   * checked.
   */
  readonly timesFull?: () => number
  /** SQLite's own connections, only for backups, its settings and tests. Throws on another engine. */
  readonly raw: { readonly write: SqliteDatabase; readonly read: SqliteDatabase }
  close(): Promise<void>
}

/**
 * Runs a compiled statement with other values. On SQLite's reading connection and in its transactions it bypasses
 * Kysely's connection queue, which costs as much as a row lookup.
 */
export async function runCompiled<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const run = findRunAtOnce(db)
  if (run) return run(query.sql, parameters) as Row[] | Promise<Row[]>
  return (await db.executeQuery<Row>({ ...query, parameters })).rows
}

type Marks<P> = { readonly [K in keyof P]: P[K] }

/**
 * Compiles a statement once per engine: Kysely's types without building the query on each call. `build` gets
 * placeholders instead of values and must pass each unchanged into the query.
 */
export function hotQuery<P extends Record<string, unknown>, Row>(
  build: (db: Db, p: Marks<P>) => { compile(): CompiledQuery<Row> },
): (db: Db, params: P) => Promise<Row[]> {
  const prefix = '\u0001mark:'
  const compiled = keptForEngine(db => {
    const marks = new Proxy({}, { get: (_t, name) => prefix + String(name) }) as Marks<P>
    const query = build(db, marks).compile()
    const order = query.parameters.map(value =>
      typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : { value },
    )
    return { query, order }
  })
  return async (db, params) => {
    const { query, order } = compiled(db)
    const parameters = order.map(part => (typeof part === 'string' ? params[part] : part.value))
    return runCompiled(db, query, parameters)
  }
}

/** `isForMany`: a bulk operation, which yields to the event loop twice as often. */
export interface TransactionOptions {
  readonly isForMany?: boolean
}

const transact = <T>(db: Db, work: (trx: Db) => Promise<T>, { isForMany }: TransactionOptions = {}): Promise<T> =>
  db.transaction().execute(async opened => {
    const trx = opened as unknown as Db
    const close = openTransaction(db, trx, isForMany ? longBulkTurnMs : undefined)
    try {
      return await work(trx)
    } finally {
      close()
    }
  })

/** Runs `work` in a write transaction. Use only `trx` inside, and never await the network. */
export const inTransaction = <T>(
  databases: Databases,
  work: (trx: Db) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> => transact(databases.write, work, options)

/** Runs `work` in a transaction that appends to the webhook journal and does nothing else. @see Databases.journal */
export const inJournalTransaction = <T>(databases: Databases, work: (trx: Db) => Promise<T>): Promise<T> =>
  transact(databases.journal, work)

/** Compiled once, because every listener of every write runs them. */
const savepoint = {
  begin: keptForEngine(db => sql`savepoint part`.compile(db)),
  undo: keptForEngine(db => sql`rollback to savepoint part`.compile(db)),
  end: keptForEngine(db => sql`release savepoint part`.compile(db)),
}

/**
 * Runs a part of a transaction. If it throws, its changes are rolled back and the result of `onError` is returned.
 * Database faults are thrown and end the whole transaction.
 */
export async function inSavepoint<T>(trx: Db, work: () => Promise<T>, onError: (error: unknown) => T): Promise<T> {
  await runCompiled(trx, savepoint.begin(trx), [])
  let answer: T
  try {
    answer = await work()
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    await runCompiled(trx, savepoint.undo(trx), [])
    answer = onError(error)
  }
  await runCompiled(trx, savepoint.end(trx), [])
  return answer
}
