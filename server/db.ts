import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite, { type Database as SqliteDatabase, type Statement } from 'better-sqlite3'
import {
  type CompiledQuery,
  type CreateTableNode,
  type DataTypeNode,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { AuthTables } from './auth/table.ts'
import type { BulkSendTables } from './bulk-sends/table.ts'
import type { EventTables } from './events/table.ts'
import type { InboxTables } from './inbox/table.ts'
import type { IntakeTables } from './intake/table.ts'
import type { JobsTables } from './jobs/table.ts'
import type { LiveTables } from './live/table.ts'
import { type DriverOptions, LockWaitingDriver } from './lock-waiting-driver.ts'
import { type LoopTurn, loopTurn } from './loop-turn.ts'
import type { MediaTables } from './media/table.ts'
import type { NotificationTables } from './notifications/table.ts'
import type { NumbersTables } from './numbers/table.ts'
import type { OrgTables } from './orgs/table.ts'
import type { OutboxTables } from './outbox/table.ts'
import type { IdempotencyTables } from './plugins/idempotency-table.ts'
import type { PushTables } from './push/table.ts'
import type { SearchTables } from './search/table.ts'
import type { TagTables } from './tags/table.ts'
import type { TemplateTables } from './templates/table.ts'
import type { VisibilityTables } from './visibility/table.ts'
import type { SandboxTables } from './whatsapp/sandbox/table.ts'

/** The sum of the rooms' tables. */
export interface Database
  extends AuthTables,
    BulkSendTables,
    NumbersTables,
    OrgTables,
    InboxTables,
    MediaTables,
    OutboxTables,
    IntakeTables,
    EventTables,
    JobsTables,
    LiveTables,
    NotificationTables,
    IdempotencyTables,
    PushTables,
    SearchTables,
    TagTables,
    TemplateTables,
    VisibilityTables,
    SandboxTables {}

/** A connection or a transaction: store functions take either. */
export type Db = Kysely<Database>

/**
 * Two connections to one database. `write` is a single connection: Kysely queues transactions behind one another, so an
 * `await` on the network inside one stalls everybody, and touching `write` itself inside its transaction waits for
 * ever. `read` never waits for a writer and sees what has been committed.
 */
export interface Databases {
  readonly write: Db
  readonly read: Db
  /**
   * Another number whenever anybody, in this process or beside it, has committed since it was last asked for. Undefined:
   * the engine has no such number, or something uncommitted would be read. It costs some microseconds.
   */
  version(): number | undefined
  /** Asked before each transaction, and by whoever else works through many things in a row. */
  readonly turn: LoopTurn
  /** The engine's own connections, for backup, pragmas and tests; nobody else touches them. */
  readonly raw: { readonly write: SqliteDatabase; readonly read: SqliteDatabase }
  close(): Promise<void>
}

/** SQLite's dialect, with what the house wants of it in one place: STRICT tables, prepared statements kept. */
class HouseCompiler extends SqliteQueryCompiler {
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable(node)
    this.append(' strict')
  }
  /** STRICT knows five types; Kysely's own tables ask for varchar. */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType.startsWith('varchar')) this.append('text')
    else super.visitDataType(node)
  }
  /**
   * `+?` instead of `?`. SQLite built with STAT4, as here, looks at the values bound to a join's conditions when it plans
   * and plans again at every run with others: six times the price of a lookup over two tables. Behind a plus it does not
   * look, and the plan stays what the tests have seen.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

class HouseDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  readonly #options: DriverOptions
  constructor(config: SqliteDialectConfig, options: DriverOptions = {}) {
    super(config)
    this.#config = config
    this.#options = options
  }
  override createDriver() {
    return new LockWaitingDriver(this.#config, this.#options)
  }
  override createQueryCompiler() {
    return new HouseCompiler()
  }
  override createAdapter() {
    return new SqliteAdapter()
  }
}

const maxKeptStatements = 400

/** Kysely prepares each statement anew; keeping them saves a parse per query. Writers begin IMMEDIATE, so that two never deadlock. */
const keepStatements = (db: SqliteDatabase, begin: string) => {
  const kept = new Map<string, Statement>()
  return {
    prepare(sql: string) {
      const known = kept.get(sql)
      if (known) return known
      const statement = db.prepare(sql === 'begin' ? begin : sql)
      if (kept.size >= maxKeptStatements) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      return statement
    },
    close: () => db.close(),
  }
}

const kyselyOn = (kept: ReturnType<typeof keepStatements>, options?: DriverOptions): Db =>
  new Kysely<Database>({ dialect: new HouseDialect({ database: kept as never }, options) })

/** The oldest SQLite without the WAL-reset corruption. @see sqlite.org/releaselog/3_51_3.html */
const oldestSafeSqlite = [3, 51, 3] as const

const refuseOldSqlite = (db: SqliteDatabase) => {
  const version = String(db.prepare('select sqlite_version()').pluck().get())
  const parts = version.split('.').map(Number)
  for (const [i, floor] of oldestSafeSqlite.entries()) {
    if ((parts[i] ?? 0) > floor) return
    if ((parts[i] ?? 0) < floor)
      throw new Error(`SQLite ${version} can corrupt its log; ${oldestSafeSqlite.join('.')} or newer is needed`)
  }
}

/** WAL with an fsync per commit: better-sqlite3's default NORMAL would lose acknowledged rows on a power cut. */
const setPragmas = (db: SqliteDatabase) => {
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('busy_timeout = 5000')
  db.pragma('temp_store = MEMORY')
  db.pragma('cache_size = -32000')
  // Every 16 MB of log instead of 4: what changes often is brought into the database once and not each time.
  db.pragma('wal_autocheckpoint = 4000')
}

/** Opens (and creates) the database file, for this account alone: folder 700, file 600, and so the log beside it. */
export function openDatabase(
  path: string,
  { longestLockMs, turn = loopTurn }: { longestLockMs?: number; turn?: LoopTurn } = {},
): Databases {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const write = new Sqlite(path)
  refuseOldSqlite(write)
  setPragmas(write)
  // The driver waits by itself, without standing still.
  write.pragma('busy_timeout = 0')
  const read = new Sqlite(path)
  setPragmas(read)
  read.pragma('query_only = ON')
  return pair(write, read, { longestMs: longestLockMs, turn })
}

/** A database in memory from a snapshot of a migrated one; one connection serves as both. For tests. */
export function openSnapshot(snapshot?: Buffer, turn: LoopTurn = loopTurn): Databases {
  const db = snapshot ? new Sqlite(snapshot) : new Sqlite(':memory:')
  db.pragma('foreign_keys = ON')
  return pair(db, db, { turn })
}

/** `data_version` tells of the commits of other connections only; a connection that also writes counts its changed rows. */
const versionOf = (write: SqliteDatabase, read: SqliteDatabase): (() => number | undefined) => {
  if (read === write) {
    const changes = read.prepare('select total_changes()').pluck()
    return () => (read.inTransaction ? undefined : (changes.get() as number))
  }
  const version = read.prepare('pragma data_version').pluck()
  return () => version.get() as number
}

function pair(
  write: SqliteDatabase,
  read: SqliteDatabase,
  { turn, longestMs }: { turn: LoopTurn; longestMs?: number | undefined },
): Databases {
  const writeDb = kyselyOn(keepStatements(write, 'begin immediate'), { turn, longestMs })
  const reading = keepStatements(read, 'begin')
  const readDb = read === write ? writeDb : kyselyOn(reading)
  if (readDb !== writeDb) runNow.set(readDb, (sql, parameters) => reading.prepare(sql).all(parameters))
  return {
    write: writeDb,
    read: readDb,
    version: versionOf(write, read),
    turn,
    raw: { write, read },
    async close() {
      await writeDb.destroy()
      if (readDb !== writeDb) await readDb.destroy()
      for (const db of [read, write]) if (db.open) db.close()
    },
  }
}

type RunNow = (sql: string, parameters: readonly unknown[]) => unknown[]

/** Reading connections, by which a statement runs at once: on them nobody's transaction can be open that one would land in. */
const runNow = new WeakMap<Db, RunNow>()

/**
 * Runs a compiled statement with other values. On a reading connection it goes straight to SQLite: Kysely's queue for the
 * one connection costs as much as the lookup of a row.
 */
export async function runCompiled<Row>(
  db: Db,
  query: CompiledQuery<Row>,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const run = runNow.get(db)
  if (run) return run(query.sql, parameters) as Row[]
  return (await db.executeQuery<Row>({ ...query, parameters })).rows
}

type Marks<P> = { readonly [K in keyof P]: P[K] }

/**
 * A statement compiled once and run many times with other values: Kysely's types without building the query on each
 * call. `build` sees marks instead of values and must pass each straight to the query.
 */
export function hotQuery<P extends Record<string, unknown>, Row>(
  build: (db: Db, p: Marks<P>) => { compile(): CompiledQuery<Row> },
): (db: Db, params: P) => Promise<Row[]> {
  let compiled: { query: CompiledQuery<Row>; order: (string | { value: unknown })[] } | undefined
  const prefix = '\u0001mark:'
  const compile = (db: Db) => {
    const marks = new Proxy({}, { get: (_t, name) => prefix + String(name) }) as Marks<P>
    const query = build(db, marks).compile()
    const order = query.parameters.map(value =>
      typeof value === 'string' && value.startsWith(prefix) ? value.slice(prefix.length) : { value },
    )
    return { query, order }
  }
  return async (db, params) => {
    compiled ??= compile(db)
    const parameters = compiled.order.map(part => (typeof part === 'string' ? params[part] : part.value))
    return runCompiled(db, compiled.query, parameters)
  }
}

/** Runs `work` in a write transaction. Inside use only `trx`; never await the network. */
export const inTransaction = <T>(databases: Databases, work: (trx: Db) => Promise<T>): Promise<T> =>
  databases.write.transaction().execute(trx => work(trx as unknown as Db))

/**
 * Runs a part of a transaction: when it throws, what it wrote is undone, and what `onError` answers counts instead.
 * Trouble of the database itself ends the whole.
 */
export async function inSavepoint<T>(trx: Db, work: () => Promise<T>, onError: (error: unknown) => T): Promise<T> {
  await sql`savepoint part`.execute(trx)
  let answer: T
  try {
    answer = await work()
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    await sql`rollback to savepoint part`.execute(trx)
    answer = onError(error)
  }
  await sql`release savepoint part`.execute(trx)
  return answer
}

/**
 * The name of the database's own rule that a write broke, as its trigger says it: `LAST_OWNER`. Undefined: none did.
 * How an engine tells is known here only.
 */
export const findBrokenRule = (error: unknown): string | undefined => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  return code === 'SQLITE_CONSTRAINT_TRIGGER' ? message : undefined
}

/** The disk or a lock is at fault, not the statement: the same again later is right, and counts against nobody. */
export const isDatabaseTrouble = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^SQLITE_(?!CONSTRAINT|MISMATCH|RANGE|TOOBIG|ERROR)/.test(code)
}
