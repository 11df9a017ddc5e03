import { Kysely } from 'kysely'
import pg from 'pg'
import type { Database, Db } from '#server/platform/db/database.ts'
import { type LoopTurn, loopTurn } from '#server/platform/work/loop-turn.ts'
import { appendRowsOn } from '../append-rows.ts'
import type { Databases } from '../db.ts'
import { nameWithin, type PostgresAddress } from './address.ts'
import { appendRows } from './append-store.ts'
import { RecadoPostgresDialect } from './dialect.ts'
import { type WritersLine, writersKeyOf } from './driver.ts'
import { keepPlans, StatementNames } from './prepared.ts'
import { openSignals } from './signals.ts'
import { ReportingClient, refuseStandby } from './standby.ts'
import { accessOf, sharedVersion } from './version-store.ts'

/** The engine's numbers for its types. @see pg_type */
const int8 = 20
const numeric = 1700

/** Counts and sums leave as numbers: none of ours is larger than what a number holds exactly. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format as 'text'),
} as pg.CustomTypesConfig

/** What the package has and its types do not tell. */
interface SocketHolder {
  readonly connection: { readonly stream: { destroy(): void } }
}

interface PoolOptions {
  readonly max: number
  readonly isReadOnly: boolean
  /** Of those that write. */
  readonly line?: WritersLine
  /** What ended a connection between two statements; whoever is in a transaction on it gets it with the next one. */
  readonly onLoss: (error: Error) => void
  /** The server had no room on its disk for a statement. */
  readonly onFull?: () => void
}

export const connectionOf = (address: PostgresAddress, { isReadOnly }: { isReadOnly: boolean }) => {
  const settings = [
    ['search_path', address.schema],
    ['timezone', 'UTC'],
    ['statement_timeout', address.statementTimeoutMs],
    // A process that stands still in the middle of a transaction must not keep all others from writing.
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
    // The server ends what takes too long and says so; of one that is gone without a word nobody would ever hear.
    query_timeout: address.statementTimeoutMs && address.statementTimeoutMs + address.connectTimeoutMs,
    application_name: nameWithin('recado', address.schema),
    // Said with the connection and not by a statement after it: that is one round trip less, and nothing runs without.
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    types,
  }
}

/** What the package says when nothing was heard for as long as `query_timeout` tells. */
const nothingHeard = 'Query read timeout'

/** A connection on which nothing is heard is nobody's any more: whoever got it next would wait as long for nothing. */
function endWhenMute(client: pg.PoolClient): void {
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

/** None of its connections is opened before the first statement. */
export function openPool(address: PostgresAddress, options: PoolOptions): Db {
  const { max, isReadOnly, line = 'main', onLoss, onFull = () => undefined } = options
  const pool = new pg.Pool({
    ...connectionOf(address, { isReadOnly }),
    max,
    Client: ReportingClient,
    onConnect: refuseStandby,
    idleTimeoutMillis: address.idleTimeoutMs,
    // Connections that wait keep no process alive that is otherwise done.
    allowExitOnIdle: true,
  })
  pool.on('error', onLoss)
  // A connection may end between two statements of a transaction, too; the next one of them says so.
  const names = new StatementNames()
  pool.on('connect', client => {
    client.on('error', onLoss)
    keepPlans(client, names)
    endWhenMute(client)
  })
  const { schema } = address
  const db = new Kysely<Database>({
    dialect: new RecadoPostgresDialect({ pool }, { line: isReadOnly ? undefined : line, schema, onFull }),
  })
  if (!isReadOnly) appendRowsOn(db, rows => appendRows(db, writersKeyOf(schema, line), rows))
  return db
}

/** What a process cannot do with fewer: write, hear of the others, read. */
const fewestConnections = 3

/**
 * One connection that writes, one that appends, several that read, and one that hears of other processes. The product's
 * writes count on following one another: those of a process by their one connection, those of all by the writers' lock.
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
  const signals = openSignals(connectionOf(address, { isReadOnly: true }), nameWithin('recado', address.schema), onLoss)
  return {
    write,
    journal: ownJournal ?? write,
    read,
    version: sharedVersion(read),
    accessOf,
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
