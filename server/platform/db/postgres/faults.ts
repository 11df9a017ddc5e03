import { InstallationFault } from '#server/platform/process/installation-fault.ts'

/** The way to the server was lost, or there was none; what the server says itself has its own code. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code = 'POSTGRES_CONNECTION_LOST'
  constructor(cause: unknown) {
    super(`No connection to the database: ${(cause as Error).message}`, { cause })
  }
}

/** The server is a replica; what asks it waits for one that writes. */
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

/** What the server itself said; told by its shape, so that nobody needs the package to ask. */
const fromServer = (error: unknown): ServerError | undefined =>
  error instanceof Error && 'severity' in error && /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code))
    ? (error as ServerError)
    : undefined

/**
 * By class: 08 connection, 53 out of disk, memory or connections, 57P the server goes or is not up yet, 58 its system, XX
 * its files. By name: serialization failure, deadlock, lock not available, statement timeout, and a replica that only reads.
 */
const passing = /^(?:08|53|57P|58|XX)|^(?:40001|40P01|55P03|57014|25006)$/

/** @see isDatabaseTrouble */
export const isPostgresTrouble = (error: unknown): boolean =>
  error instanceof ConnectionLost || passing.test(fromServer(error)?.code ?? '')

/** The server has no room for what was to be written. */
export const isDiskFull = (error: unknown): boolean => fromServer(error)?.code === '53100'

/** The code with which our triggers raise; the rule's name is the message. */
const ruleBroken = 'RC001'

/** @see findBrokenRule */
export const findRuleBrokenInPostgres = (error: unknown): string | undefined => {
  const said = fromServer(error)
  return said?.code === ruleBroken ? said.message : undefined
}

/** What a program did wrong with a value; no connection is at fault. */
const isMistake = (error: unknown) =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

/** Whatever else a driver throws that the server did not say is the loss of the way to it. */
export const asConnectionLost = (error: unknown): unknown =>
  fromServer(error) || error instanceof ConnectionLost || isMistake(error) ? error : new ConnectionLost(error)

/** The place of an address without its password, as faults name it. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly schema: string
}

/** Sentence and fix for an account that may not do what a start does. */
export const noRights = ({ user, database, schema }: DatabaseAddress) =>
  [
    `"${user}" may not make tables in the schema ${schema} of "${database}"`,
    `run there: grant create, usage on schema ${schema} to "${user}"`,
  ] as const

/** The same for one that may not make the schema. */
export const noSchema = ({ user, database, schema }: DatabaseAddress) =>
  [
    `There is no schema ${schema} in "${database}", and "${user}" may not make one`,
    `run there: create schema ${schema} authorization "${user}"`,
  ] as const

type Sentence = (place: DatabaseAddress) => readonly [says: string, fix: string]

/** What the server answers to a first connection that a person can mend. */
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

/** The first error of a chain of causes that a person can mend at the server or in the address. */
export function postgresFault(error: unknown, place: DatabaseAddress): InstallationFault | undefined {
  for (let next = error; next instanceof Error; next = next.cause) {
    const sentence = answers[fromServer(next)?.code ?? '']
    if (sentence) return new InstallationFault(...sentence(place), error)
    if (next instanceof OnlyReads)
      return new InstallationFault(
        `"${place.database}" is a replica that only reads`,
        'name the server that writes in DATABASE_URL',
        error,
      )
    if (next instanceof ConnectionLost && !(next.cause instanceof OnlyReads)) {
      const cause = next.cause as NodeJS.ErrnoException
      return new InstallationFault(...unreachable(place, cause.code ?? cause.message), error)
    }
  }
  return undefined
}
