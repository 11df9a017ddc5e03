import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  type DatabaseConnection,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import { defaultSchema } from './address.ts'
import { DueSavepoints } from './due-savepoints.ts'
import { asConnectionLost, ConnectionLost, isDiskFull } from './faults.ts'

/** Connections that are already wrapped; the driver returns the same object for the same connection. */
const watched = new WeakSet<DatabaseConnection>()

const watch = <Connection extends DatabaseConnection>(connection: Connection, onFull: () => void): Connection => {
  if (watched.has(connection)) return connection
  watched.add(connection)
  const savepoints = new DueSavepoints()
  const run = connection.executeQuery.bind(connection) as (query: CompiledQuery) => Promise<QueryResult<never>>
  connection.executeQuery = async (query: CompiledQuery) => {
    try {
      if (savepoints.take(query.sql)) return nothing
      const due = savepoints.before(query.sql)
      if (due) await run(CompiledQuery.raw(due))
      return await run(query)
    } catch (error) {
      if (isDiskFull(error)) onFull()
      throw asConnectionLost(error)
    }
  }
  return connection
}

const nothing: QueryResult<never> = { rows: [] }

/** Two queues of writers. Those of the journal write a table that no other writes, and wait only for each other. */
export type WritersLine = 'main' | 'journal'

/**
 * Keys of the advisory locks that a write transaction holds; arbitrary numbers that nobody else uses in this database.
 */
const writersKeys: Record<WritersLine, bigint> = { main: 7_238_274_369n, journal: 7_238_274_370n }

/** Each schema has its own keys, because independent installations need not wait for each other. */
export const writersKeyOf = (schema: string, line: WritersLine): bigint =>
  schema === defaultSchema
    ? writersKeys[line]
    : createHash('sha256')
        .update(line === 'main' ? schema : `${schema} ${line}`)
        .digest()
        .readBigInt64BE()

/**
 * Begins a write transaction in one round trip. Transactions of all processes run one after another, like on SQLite:
 * numbers are committed in order, and what a transaction read is still true when it writes.
 */
export const beginWritingIn = (schema: string, line: WritersLine): CompiledQuery =>
  CompiledQuery.raw(`begin; select pg_advisory_xact_lock(${writersKeyOf(schema, line)})`)

/** PostgreSQL's driver, converting connection failures, which have network error codes, to `ConnectionLost`. */
export class ConnectionLossDriver extends PostgresDriver {
  readonly #beginsWith: CompiledQuery | undefined
  readonly #onFull: () => void
  /** `beginsWith`: how a writing connection begins transactions. `onFull`: the server's disk is full. */
  constructor(config: PostgresDialectConfig, beginsWith: CompiledQuery | undefined, onFull: () => void) {
    super(config)
    this.#beginsWith = beginsWith
    this.#onFull = onFull
  }
  override async beginTransaction(...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>) {
    if (this.#beginsWith) await connection.executeQuery(this.#beginsWith)
    else await super.beginTransaction(connection, settings)
  }
  override async acquireConnection(...options: Parameters<PostgresDriver['acquireConnection']>): Promise<never> {
    try {
      return watch(await super.acquireConnection(...options), this.#onFull) as never
    } catch (error) {
      throw asConnectionLost(error)
    }
  }
  /** A lost connection has nothing to roll back, and failing to must not hide the original error. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    }
  }
}
