import { Kysely } from 'kysely'
import pg from 'pg'
import type { Database, Databases, Db } from '../../db.ts'
import { type LoopTurn, loopTurn } from '../../loop-turn.ts'
import type { PostgresAddress } from './address.ts'
import { HousePostgresDialect } from './dialect.ts'

/** The engine's numbers for its types. @see pg_type */
const int8 = 20
const numeric = 1700

/** Counts and sums leave as numbers: none of ours is larger than what a number holds exactly. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === int8 || id === numeric ? Number : pg.types.getTypeParser(id, format as 'text'),
} as pg.CustomTypesConfig

interface PoolOptions {
  readonly max: number
  readonly isReadOnly: boolean
  /** What ended a connection between two statements; whoever is in a transaction on it gets it with the next one. */
  readonly onLoss: (error: Error) => void
}

/** None of its connections is opened before the first statement. */
export function openPool(address: PostgresAddress, { max, isReadOnly, onLoss }: PoolOptions): Db {
  const settings = [
    ['search_path', 'public'],
    ['timezone', 'UTC'],
    ['statement_timeout', address.statementTimeoutMs],
    ['default_transaction_read_only', isReadOnly ? 'on' : 'off'],
  ]
  const pool = new pg.Pool({
    host: address.host,
    port: address.port,
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: address.ssl,
    max,
    connectionTimeoutMillis: address.connectTimeoutMs,
    idleTimeoutMillis: address.idleTimeoutMs,
    // Connections that wait keep no process alive that is otherwise done.
    allowExitOnIdle: true,
    application_name: 'recado',
    // Said with the connection and not by a statement after it: that is one round trip less, and nothing runs without.
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    types,
  })
  pool.on('error', onLoss)
  // A connection may end between two statements of a transaction, too; the next one of them says so.
  pool.on('connect', client => client.on('error', onLoss))
  return new Kysely<Database>({ dialect: new HousePostgresDialect({ pool }) })
}

/**
 * One connection that writes and several that read, as with SQLite: the house's writes count on following one another.
 * No number tells of everybody's commits, so answers are not remembered.
 */
export function openPostgres(
  address: PostgresAddress,
  { onLoss, turn = loopTurn }: Pick<PoolOptions, 'onLoss'> & { turn?: LoopTurn },
): Databases {
  const write = openPool(address, { max: 1, isReadOnly: false, onLoss })
  const read = openPool(address, { max: address.pool - 1, isReadOnly: true, onLoss })
  return {
    write,
    read,
    version: () => undefined,
    turn,
    get raw(): never {
      throw new Error('PostgreSQL has no connections in this process that could be used past Kysely')
    },
    async close() {
      await Promise.all([write.destroy(), read.destroy()])
    },
  }
}
