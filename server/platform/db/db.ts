import type { Database as SqliteDatabase } from 'better-sqlite3'
import { type CompiledQuery, sql } from 'kysely'
import { type LoopTurn, longTurnOfManyMs } from '#server/platform/work/loop-turn.ts'
import type { Db } from './database.ts'
import { isDatabaseTrouble } from './faults.ts'
import { keptForEngine } from './kept-for-engine.ts'
import { findRunAtOnce, openTransaction } from './run-at-once.ts'
import type { Signals } from './signals.ts'

/** @see Databases.version */
export type DataVersion = number | string | undefined

/**
 * Two ways to one database. `write` is a single connection: transactions queue behind one another, so an `await` on the
 * network inside one stalls everybody, and touching `write` itself inside its transaction waits for ever. `read` never
 * waits for a writer and sees what has been committed.
 */
export interface Databases {
  readonly write: Db
  /**
   * Appends to the journal of webhooks, in the order of its numbers. Where the engine lets several write at once it is a
   * connection of its own: whoever journals waits for nobody's transaction. Else the same as `write`.
   */
  readonly journal: Db
  readonly read: Db
  /**
   * Another one whenever anybody, in this process or beside it, has committed since it was last asked for. Undefined:
   * something uncommitted would be read. With SQLite it is a number and costs some microseconds, else a round trip.
   */
  version(): DataVersion | Promise<DataVersion>
  /**
   * What of a version tells of who may ask: another one whenever anybody has committed a change of sessions, people,
   * members, organizations, what those demand or who sees what.
   */
  accessOf(version: DataVersion): DataVersion
  /** Word to and from other processes on the same database. */
  readonly signals: Signals
  /** Asked before each transaction, and by whoever else works through many things in a row. */
  readonly turn: LoopTurn
  /** How often a server beside this process has refused a write as its disk is full; absent where the disk can be looked at. */
  readonly timesFull?: () => number
  /** SQLite's own connections, for backup, its settings and tests; nobody else touches them. Of another engine it throws. */
  readonly raw: { readonly write: SqliteDatabase; readonly read: SqliteDatabase }
  close(): Promise<void>
}

/**
 * Runs a compiled statement with other values. On a reading connection of SQLite and in its transactions it goes straight there:
 * Kysely's queue for the one connection costs as much as the lookup of a row.
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
 * A statement compiled once for each engine and run many times with other values: Kysely's types without building the
 * query on each call. `build` sees marks instead of values and must pass each straight to the query.
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

/** `isForMany`: nobody waits for it, so it holds others half as long. */
export interface TransactionOptions {
  readonly isForMany?: boolean
}

const transact = <T>(db: Db, work: (trx: Db) => Promise<T>, { isForMany }: TransactionOptions = {}): Promise<T> =>
  db.transaction().execute(async opened => {
    const trx = opened as unknown as Db
    const close = openTransaction(db, trx, isForMany ? longTurnOfManyMs : undefined)
    try {
      return await work(trx)
    } finally {
      close()
    }
  })

/** Runs `work` in a write transaction. Inside use only `trx`; never await the network. */
export const inTransaction = <T>(
  databases: Databases,
  work: (trx: Db) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> => transact(databases.write, work, options)

/** The same for what is appended to the journal of webhooks, and nothing else. @see Databases.journal */
export const inJournalTransaction = <T>(databases: Databases, work: (trx: Db) => Promise<T>): Promise<T> =>
  transact(databases.journal, work)

/** Every listener of every write says them, so they are compiled once. */
const savepoint = {
  begin: keptForEngine(db => sql`savepoint part`.compile(db)),
  undo: keptForEngine(db => sql`rollback to savepoint part`.compile(db)),
  end: keptForEngine(db => sql`release savepoint part`.compile(db)),
}

/**
 * Runs a part of a transaction: when it throws, what it wrote is undone, and what `onError` answers counts instead.
 * Trouble of the database itself ends the whole.
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
