import { Kysely } from 'kysely'
import pg from 'pg'
import { type LoopTurn, loopTurn } from '#server/platform/work/loop-turn.ts'
import { appendRowsOn } from '../append-rows.ts'
import type { Database, Db } from '../database.ts'
import type { Databases } from '../db.ts'
import { nameWithin, type PostgresAddress } from './address.ts'
import { appendRows } from './append-store.ts'
import { RecadoPostgresDialect } from './dialect.ts'
import { type WritersLine, writersKeyOf } from './driver.ts'
import { prepareFrequentStatements, StatementNames } from './prepared.ts'
import { openSignals } from './signals.ts'
import { ReportingClient, refuseStandby } from './standby.ts'
import { sharedVersion } from './version-store.ts'

/** PostgreSQL's type ids. @see pg_type */
const int8 = 20
const numeric = 1700

/** Counts and sums are parsed as numbers: none of ours exceeds the exact range. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format as 'text'),
} as pg.CustomTypesConfig

/** Missing in the package's types. */
interface SocketHolder {
  readonly connection: { readonly stream: { destroy(): void } }
}

interface PoolOptions {
  readonly max: number
  readonly isReadOnly: boolean
  /** The queue of a writing connection. */
  readonly line?: WritersLine
  /** A connection ended between statements. A transaction on it gets the error at its next statement. */
  readonly onLoss: (error: Error) => void
  /** The server's disk was full for a statement. */
  readonly onFull?: () => void
}

export const connectionOptions = (address: PostgresAddress, { isReadOnly }: { isReadOnly: boolean }) => {
  const settings = [
    ['search_path', address.schema],
    ['timezone', 'UTC'],
    ['statement_timeout', address.statementTimeoutMs],
    // A process that hangs inside a transaction must not block all other writers.
    ['idle_in_transaction_session_timeout', address.statementTimeoutMs],
    ['default_transaction_read_only', isReadOnly ? 'on' : 'off'],
  ]
  return {
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: address.ssl,
    connectionTimeoutMillis: address.connectTimeoutMs,
    // The server ends statements that take too long; this limit is for a server that stopped answering.
    query_timeout: address.statementTimeoutMs && address.statementTimeoutMs + address.connectTimeoutMs,
    application_name: nameWithin('recado', address.schema),
    // Sent with the startup message, which saves a round trip, and no statement can run without them.
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    types,
  }
}

/** The package's message when `query_timeout` passes. */
const nothingHeard = 'Query read timeout'

/** Closes a connection that stopped answering, so that nobody else gets it and waits as long. */
function endWhenSilent(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const leaving = async (...args: unknown[]) => {
    try {
      return await query(...args)
    } catch (error) {
      if ((error as Error).message === nothingHeard) (client as unknown as SocketHolder).connection.stream.destroy()
      throw error
    }
  }
  client.query = leaving as typeof client.query
}

/** Opens connections on demand. */
export function openPool(address: PostgresAddress, options: PoolOptions): Db {
  const { max, isReadOnly, line = 'main', onLoss, onFull = () => undefined } = options
  const pool = new pg.Pool({
    ...connectionOptions(address, { isReadOnly }),
    max,
    Client: ReportingClient,
    onConnect: refuseStandby,
    idleTimeoutMillis: address.idleTimeoutMs,
    // Idle connections keep no process alive.
    allowExitOnIdle: true,
  })
  pool.on('error', onLoss)
  // A connection may end inside a transaction, between statements; the next statement then fails.
  const names = new StatementNames()
  pool.on('connect', client => {
    client.on('error', onLoss)
    prepareFrequentStatements(client, names)
    endWhenSilent(client)
  })
  const { schema } = address
  const db = new Kysely<Database>({
    dialect: new RecadoPostgresDialect({ pool }, { line: isReadOnly ? undefined : line, schema, onFull }),
  })
  if (!isReadOnly) appendRowsOn(db, rows => appendRows(db, writersKeyOf(schema, line), rows))
  return db
}

/** The minimum for a process: writing, listening to signals, reading. */
const fewestConnections = 3

/**
 * One connection that writes, one that appends to the journal, several that read, and one that listens to other
 * processes. Writes rely on running one after another: within a process by the single connection, across processes by
 * the writers' lock.
 */
export function openPostgres(
  address: PostgresAddress,
  { onLoss, turn = loopTurn }: Pick<PoolOptions, 'onLoss'> & { turn?: LoopTurn },
): Databases {
  let timesFull = 0
  const heard = {
    onLoss,
    onFull() {
      timesFull += 1
    },
  }
  const write = openPool(address, { max: 1, isReadOnly: false, ...heard })
  const ownJournal =
    address.pool > fewestConnections
      ? openPool(address, { max: 1, isReadOnly: false, line: 'journal', ...heard })
      : undefined
  const read = openPool(address, { max: address.pool - (ownJournal ? 3 : 2), isReadOnly: true, ...heard })
  const signals = openSignals(
    connectionOptions(address, { isReadOnly: true }),
    nameWithin('recado', address.schema),
    onLoss,
  )
  return {
    write,
    journal: ownJournal ?? write,
    read,
    version: sharedVersion(read),
    signals,
    turn,
    timesFull: () => timesFull,
    get raw(): never {
      throw new Error('PostgreSQL has no connections in this process that could be used past Kysely')
    },
    async close() {
      await Promise.all([write.destroy(), ownJournal?.destroy(), read.destroy(), signals.close()])
    },
  }
}
