import { readFileSync } from 'node:fs'

/** Address and settings of a PostgreSQL connection. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  /** Schema of the tables; created by the first process. */
  readonly schema: string
  /** Maximum number of connections. */
  readonly pool: number
  readonly ssl:
    | false
    | { readonly rejectUnauthorized: boolean; readonly ca?: string; readonly checkServerIdentity?: () => undefined }
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly idleTimeoutMs: number
}

const form = 'postgres://user:password@host:5432/database'

/** Integer settings with default and range. */
const numbers = {
  pool: { otherwise: 10, least: 3, most: 200, unit: 'connections' },
  connect_timeout: { otherwise: 10, least: 1, most: 600, unit: 'seconds' },
  statement_timeout: { otherwise: 30, least: 1, most: 600, unit: 'seconds' },
  idle_timeout: { otherwise: 60, least: 1, most: 3600, unit: 'seconds' },
} as const
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const known = [...Object.keys(numbers), 'schema', 'sslmode', 'sslrootcert']

export const defaultSchema = 'public'
/** A name that needs no quotes, short enough for our suffixes within PostgreSQL's 63 bytes. `pg_` is reserved. */
const schemaForm = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,49}$/

/** A name that distinguishes installations in schemas of one database. */
export const nameWithin = (name: string, schema: string): string =>
  schema === defaultSchema ? name : `${name}:${schema}`

/** The address for messages; everything before the last `@` may belong to a password. */
export const withoutPassword = (url: string): string =>
  url.replace(/\/\/.*@/, '//…@').replace(/([?&]password=)[^&]*/g, '$1…')

/** Undefined: not a valid URL; also for `%zz` in a name. */
const read = (text: string) => {
  try {
    const url = new URL(text)
    const database = decodeURIComponent(url.pathname.slice(1))
    const user = decodeURIComponent(url.username)
    const password = decodeURIComponent(url.password) || undefined
    const hasAll = url.hostname && user && database && !database.includes('/') && !url.hash
    return hasAll ? { url, host: url.hostname.replace(/^\[|\]$/g, ''), user, password, database } : undefined
  } catch {
    return undefined
  }
}

const readCertificate = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Reads `DATABASE_URL`. Returns every fault with its fix; the address is valid if there is none. No fault contains the
 * password.
 */
export function readPostgresUrl(text: string): { address?: PostgresAddress; faults: readonly string[] } {
  const parts = read(text)
  if (!parts) return { faults: [`DATABASE_URL="${withoutPassword(text)}": use the form ${form}`] }
  const { url, host, user, password, database } = parts
  const query = url.searchParams
  const faults: string[] = []
  const fault = (name: string, fix: string) => faults.push(`DATABASE_URL, ${name}="${query.get(name)}": ${fix}`)
  const number = (name: keyof typeof numbers): number => {
    const { otherwise, least, most, unit } = numbers[name]
    const value = query.get(name) ?? String(otherwise)
    if (/^\d{1,5}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    fault(name, `use a number of ${unit} from ${least} to ${most}`)
    return otherwise
  }
  // Without the value, which may be a password.
  for (const name of new Set(query.keys()))
    if (!known.includes(name)) faults.push(`DATABASE_URL, ${name}: there is no such setting; use ${known.join(', ')}`)
    else if (query.getAll(name).length > 1) fault(name, 'say it once')

  const schema = query.get('schema') ?? defaultSchema
  if (!schemaForm.test(schema))
    fault('schema', 'use a name of small letters, digits and _, at most 50, that begins with none of pg_ and a digit')

  const sslMode = (query.get('sslmode') ?? 'disable') as (typeof sslModes)[number]
  if (!sslModes.includes(sslMode)) fault('sslmode', `use one of ${sslModes.join(', ')}`)
  const isVerified = sslMode.startsWith('verify-')
  const certificatePath = query.get('sslrootcert')
  const ca = certificatePath === null ? undefined : readCertificate(certificatePath)
  if (certificatePath !== null && ca === undefined) fault('sslrootcert', 'there is no file to read; use its whole path')
  else if (ca !== undefined && !isVerified)
    fault('sslrootcert', 'it is looked at with sslmode=verify-ca or verify-full')

  const address: PostgresAddress = {
    host,
    port: Number(url.port || 5432),
    user,
    password,
    database,
    schema,
    pool: number('pool'),
    ssl:
      sslMode === 'disable'
        ? false
        : {
            rejectUnauthorized: isVerified,
            ...(ca === undefined ? {} : { ca }),
            // Only verify-full checks the host name.
            ...(sslMode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
          },
    connectTimeoutMs: number('connect_timeout') * 1000,
    statementTimeoutMs: number('statement_timeout') * 1000,
    idleTimeoutMs: number('idle_timeout') * 1000,
  }
  return faults.length ? { faults } : { address, faults }
}
