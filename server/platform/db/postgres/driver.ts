import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  type DatabaseConnection,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import { usualSchema } from './address.ts'
import { DueSavepoints } from './due-savepoints.ts'
import { asConnectionLost, ConnectionLost, isDiskFull } from './faults.ts'

/** Connections whose errors are already told apart; the driver answers the same object for the same connection. */
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

/** Writers that follow one another. The journal's add to what nobody else writes, and wait for nobody but each other. */
export type WritersLine = 'main' | 'journal'

/** Held by whoever writes, until its transaction is over; any numbers that nobody else takes in this database. */
const writersKeys: Record<WritersLine, bigint> = { main: 7_238_274_369n, journal: 7_238_274_370n }

/** Each schema has its own, as installations that do not know of one another need not wait for one another. */
export const writersKeyOf = (schema: string, line: WritersLine): bigint =>
  schema === usualSchema
    ? writersKeys[line]
    : createHash('sha256')
        .update(line === 'main' ? schema : `${schema} ${line}`)
        .digest()
        .readBigInt64BE()

/**
 * One round trip. Transactions of all processes follow one another, as those of SQLite do: numbers are committed in the
 * order they were given, and what was read in a transaction still holds when it writes.
 */
export const beginWritingIn = (schema: string, line: WritersLine): CompiledQuery =>
  CompiledQuery.raw(`begin; select pg_advisory_xact_lock(${writersKeyOf(schema, line)})`)

/** PostgreSQL's driver that says when it was the way to the server that failed: such errors have codes of the network's. */
export class LossTellingDriver extends PostgresDriver {
  readonly #beginsWith: CompiledQuery | undefined
  readonly #onFull: () => void
  /** `beginsWith`: how each transaction begins, of a connection that writes. `onFull`: its disk has no room. */
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
  /** A connection that is lost has nothing to roll back; that it cannot must not hide why. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    }
  }
}
