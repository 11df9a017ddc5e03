import { InstallationFault } from '#server/platform/process/installation-fault.ts'

/** The connection was lost, or could not be opened. Errors of the server have their own codes. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'POSTGRES_CONNECTION_LOST'
  constructor(cause: unknown) {
    super(`No connection to the database: ${(cause as Error).message}`, { cause })
  }
}

/** The server is a read-only replica. */
export class OnlyReads extends Error {
  override readonly name = 'OnlyReads'
  readonly code = 'POSTGRES_ONLY_READS'
  constructor() {
    super('The database is a replica that only reads')
  }
}

interface ServerError extends Error {
  readonly code: string
  readonly severity: string
}

/** An error sent by the server, recognized by its shape so that the package need not be loaded. */
const fromServer = (error: unknown): ServerError | undefined =>
  error instanceof Error && 'severity' in error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code))
    ? (error as ServerError)
    : undefined

/**
 * Errors that pass by themselves. Classes: 08 connection, 53 out of disk, memory or connections, 57P server shutting
 * down or starting, 58 system, XX corruption. Codes: serialization failure, deadlock, lock not available, statement
 * timeout, read-only transaction.
 */
const passing = /^(?:08|53|57P|58|XX)|^(?:40001|40P01|55P03|57014|25006)$/

/** @see isDatabaseTrouble */
export const isPostgresTrouble = (error: unknown): boolean =>
  error instanceof ConnectionLost || passing.test(fromServer(error)?.code ?? '')

/** The server's disk is full. */
export const isDiskFull = (error: unknown): boolean => fromServer(error)?.code === '53100'

/** The error code of our triggers; the message is the rule's name. */
const ruleBroken = 'RC001'

/** @see findBrokenRule */
export const findRuleBrokenInPostgres = (error: unknown): string | undefined => {
  const said = fromServer(error)
  return said?.code === ruleBroken ? said.message : undefined
}

/** Mistakes of a program, not of the connection. */
const isMistake = (error: unknown) =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

/** Every other error of the driver that the server did not send means a lost connection. */
export const asConnectionLost = (error: unknown): unknown =>
  fromServer(error) || error instanceof ConnectionLost || isMistake(error) ? error : new ConnectionLost(error)

/** The address without password, for messages. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly schema: string
}

/** Message and fix for an account that may not create tables. */
export const noRights = ({ user, database, schema }: DatabaseAddress) =>
  [
    `"${user}" may not make tables in the schema ${schema} of "${database}"`,
    `run there: grant create, usage on schema ${schema} to "${user}"`,
  ] as const

/** Message and fix for an account that may not create the schema. */
export const noSchema = ({ user, database, schema }: DatabaseAddress) =>
  [
    `There is no schema ${schema} in "${database}", and "${user}" may not make one`,
    `run there: create schema ${schema} authorization "${user}"`,
  ] as const

type Sentence = (address: DatabaseAddress) => readonly [says: string, fix: string]

/** Server errors at the first connection that a person can fix. */
const answers: Readonly<Record<string, Sentence>> = {
  '28P01': ({ user }) => [`PostgreSQL refused the password of "${user}"`, 'correct it in DATABASE_URL'],
  '28000': ({ user, database }) => [
    `PostgreSQL does not let "${user}" connect to "${database}" from here`,
    'allow it in its pg_hba.conf, or set sslmode in DATABASE_URL',
  ],
  '3D000': ({ database, user }) => [
    `There is no database "${database}"`,
    `make it with: createdb --owner ${user} ${database}`,
  ],
  '42501': noRights,
  '08P01': ({ host, port }) => [
    `What answers at ${host}:${port} takes no settings with a connection, as PgBouncer does`,
    'name PostgreSQL itself in DATABASE_URL',
  ],
  '53300': () => ['PostgreSQL has no connection left', 'raise its max_connections, or lower pool in DATABASE_URL'],
}

const unreachable = ({ host, port }: DatabaseAddress, why: string) =>
  [
    `PostgreSQL does not answer at ${host}:${port} (${why})`,
    'start it, or correct host, port and sslmode in DATABASE_URL',
  ] as const

/** The first error in the chain of causes that a person can fix. */
export function postgresFault(error: unknown, address: DatabaseAddress): InstallationFault | undefined {
  for (let next = error; next instanceof Error; next = next.cause) {
    const sentence = answers[fromServer(next)?.code ?? '']
    if (sentence) return new InstallationFault(...sentence(address), error)
    if (next instanceof OnlyReads)
      return new InstallationFault(
        `"${address.database}" is a replica that only reads`,
        'name the server that writes in DATABASE_URL',
        error,
      )
    if (next instanceof ConnectionLost && !(next.cause instanceof OnlyReads)) {
      const cause = next.cause as NodeJS.ErrnoException
      return new InstallationFault(...unreachable(address, cause.code ?? cause.message), error)
    }
  }
  return undefined
}
