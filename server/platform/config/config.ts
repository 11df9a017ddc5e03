import { resolve } from 'node:path'
import { type PostgresAddress, readPostgresUrl, withoutPassword } from '#server/platform/db/postgres/address.ts'
import { isAddressOrRange, readAllowedAddresses, readUpstreamUrl } from '#server/platform/outbound/allowed.ts'
import { readMediaUrl, type S3Address } from '#server/platform/storage/s3-address.ts'
import { minFilesLimitBytes } from '#shared/media/use.ts'

/** Everything the process reads from the environment, read once and frozen. `server/docs/operate.md` explains each variable. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  /** Path of the SQLite file; unused with `postgres`. */
  readonly databasePath: string
  /** Undefined: SQLite is used. */
  readonly postgres: PostgresAddress | undefined
  /** Undefined: files are stored in `dataDir`. */
  readonly s3: S3Address | undefined
  /** The database for people to read: a path, or an address without its password. */
  readonly databaseName: string
  /** Undefined: generated once into `DATA_DIR/secret`. */
  readonly authSecret: string | undefined
  /** Earlier secrets: what they signed and encrypted can still be read. */
  readonly previousSecrets: readonly string[]
  /** A sorted file of hashes of leaked passwords; undefined: passwords are checked by rules only. */
  readonly passwordList: string | undefined
  readonly signup: 'first' | 'open' | 'invite'
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string }
  readonly graph: { readonly url: string; readonly version: string }
  readonly meta: {
    readonly appId: string | undefined
    readonly appSecret: string | undefined
    readonly verifyToken: string | undefined
    /** Configuration of Embedded Signup; undefined: the pages do not offer it. */
    readonly configId: string | undefined
  }
  readonly sandbox: boolean
  /** The product API that answers instead of our database, without a trailing slash; undefined: our database answers. */
  readonly upstreamUrl: string | undefined
  /** Signs events that the product API posts; undefined: it posts none. */
  readonly upstreamSecret: string | undefined
  /** Private addresses and ranges that outgoing calls may reach, also without https. */
  readonly outboundAllow: readonly string[]
  /** The number of nightly backups that are kept. 0 turns backups off. */
  readonly snapshots: number
  /** Limit for the files of each organization; null: no limit. */
  readonly filesQuotaBytes: number | null
  /** The bearer token of `/metrics`; undefined: there is no such address. */
  readonly metricsToken: string | undefined
  readonly trustProxy: readonly string[]
  readonly logLevel: string
}

/** All faults at once, each with its fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The environment does not fit:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

type Env = Readonly<Record<string, string | undefined>>
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const isProxy = (address: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(address) || isAddressOrRange(address)

const isMailbox = (text: string) => /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)

/** The value of a variable without blanks around it; undefined if it is unset or empty. */
type ReadText = (name: string) => string | undefined

// Each of these reads the variables of one part, and adds what is wrong with them to `faults`.

function readDatabase(text: ReadText, dataDir: string, faults: string[]) {
  const databaseUrl = text('DATABASE_URL')
  let databasePath = resolve(dataDir, 'recado.db')
  let postgres: PostgresAddress | undefined
  const databaseFile = /^sqlite:(.+)$/.exec(databaseUrl ?? '')?.[1]
  if (databaseFile) databasePath = resolve(databaseFile)
  else if (databaseUrl && /^postgres(?:ql)?:/.test(databaseUrl)) {
    const { address, faults: ofAddress } = readPostgresUrl(databaseUrl)
    postgres = address
    faults.push(...ofAddress)
  } else if (databaseUrl)
    faults.push(
      `DATABASE_URL="${withoutPassword(databaseUrl)}": use the form sqlite:/path/to/recado.db or postgres://user:password@host:5432/database`,
    )
  return { databasePath, postgres, databaseName: postgres ? withoutPassword(databaseUrl as string) : databasePath }
}

function readSecrets(text: ReadText, faults: string[]) {
  const authSecret = text('AUTH_SECRET')
  if (authSecret !== undefined && (authSecret.length < 32 || new Set(authSecret).size < 10))
    faults.push(
      'AUTH_SECRET is too short or too regular: use the output of `openssl rand -base64 48`, or leave it unset to have one generated',
    )

  const previousSecrets = (text('AUTH_SECRET_PREVIOUS') ?? '').split(/\s+/).filter(Boolean)
  if (previousSecrets.some(secret => secret.length < 32))
    faults.push('AUTH_SECRET_PREVIOUS: each earlier secret needs at least 32 characters; separate them with spaces')
  if (previousSecrets.length && authSecret === undefined)
    faults.push(
      'AUTH_SECRET_PREVIOUS works only with AUTH_SECRET. If the secret is in DATA_DIR/secret, add earlier secrets to that file, one a line.',
    )
  return { authSecret, previousSecrets }
}

function readUpstream(text: ReadText, outboundAllow: readonly string[], faults: string[]) {
  const upstreamText = text('PRODUCT_API_URL')
  const upstream = upstreamText === undefined ? undefined : readUpstreamUrl(upstreamText, outboundAllow)
  if (upstream?.fault) faults.push(upstream.fault)
  const upstreamSecret = text('PRODUCT_API_SECRET')
  if (upstreamSecret !== undefined && !/^whsec_[A-Za-z0-9+/]{32,100}={0,2}$/.test(upstreamSecret))
    faults.push('PRODUCT_API_SECRET: use whsec_ and the output of `openssl rand -base64 32`')
  else if (upstreamSecret !== undefined && upstreamText === undefined)
    faults.push('PRODUCT_API_SECRET goes with PRODUCT_API_URL: set both, or only the latter')
  return { upstreamUrl: upstream?.url, upstreamSecret }
}

function readFilesQuota(text: ReadText, faults: string[]): number | null {
  const quotaText = text('FILES_QUOTA') ?? '20GB'
  const quota = /^(\d{1,6})(MB|GB|TB)$/i.exec(quotaText)
  const unitBytes = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 }[quota?.[2]?.toUpperCase() ?? ''] ?? 0
  const filesQuotaBytes = quotaText === '0' ? null : Number(quota?.[1]) * unitBytes
  if (filesQuotaBytes !== null && !(filesQuotaBytes >= minFilesLimitBytes))
    faults.push(`FILES_QUOTA="${quotaText}": use a size from 100MB on, such as 500MB, 20GB or 1TB, or 0 for no limit`)
  return filesQuotaBytes
}

function readTrustProxy(text: ReadText, faults: string[]): string[] {
  const trustProxy = (text('TRUST_PROXY') ?? '')
    .split(',')
    .map(address => address.trim())
    .filter(Boolean)
  for (const address of trustProxy)
    if (!isProxy(address))
      faults.push(
        `TRUST_PROXY: "${address}" is no address; use IP addresses or ranges separated by commas, for example TRUST_PROXY=127.0.0.1,10.0.0.0/8`,
      )
  return trustProxy
}

function readMetaApp(text: ReadText, faults: string[]): Config['meta'] {
  const meta = {
    appId: text('META_APP_ID'),
    appSecret: text('META_APP_SECRET'),
    verifyToken: text('META_VERIFY_TOKEN'),
    configId: text('META_CONFIG_ID'),
  }
  if (!meta.appSecret !== !meta.verifyToken)
    faults.push(
      `${meta.appSecret ? 'META_VERIFY_TOKEN' : 'META_APP_SECRET'} is missing: the shared webhook needs META_APP_SECRET and META_VERIFY_TOKEN; set both or neither`,
    )

  if (meta.configId && !(meta.appId && meta.appSecret && meta.verifyToken))
    faults.push(
      'META_CONFIG_ID needs the app it belongs to: set META_APP_ID, META_APP_SECRET and META_VERIFY_TOKEN, too',
    )
  for (const [name, value] of [
    ['META_APP_ID', meta.appId],
    ['META_CONFIG_ID', meta.configId],
  ] as const)
    if (value !== undefined && !/^\d{1,32}$/.test(value))
      faults.push(`${name}="${value}": use the digits that Meta shows`)
  return meta
}

function readMail(text: ReadText, faults: string[]): Config['mail'] {
  const smtpUrl = text('SMTP_URL')
  if (smtpUrl && !/^smtps?:\/\/./.test(smtpUrl))
    faults.push('SMTP_URL: use the form smtp://user:password@host:587 or smtps://…:465')
  const from = text('MAIL_FROM') ?? 'Recado <recado@localhost>'
  if (smtpUrl && !text('MAIL_FROM'))
    faults.push('MAIL_FROM is needed with SMTP_URL, for example MAIL_FROM="Recado <recado@example.com>"')
  else if (!isMailbox(from))
    faults.push(`MAIL_FROM="${from}": use an address, for example MAIL_FROM="Recado <recado@example.com>"`)
  return { smtpUrl, from }
}

/**
 * Reads the environment.
 * @throws ConfigError with every fault.
 */
export function readConfig(env: Env): Config {
  const faults: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const oneOf = <T extends string>(name: string, words: readonly T[], fallback: T): T => {
    const value = text(name)
    if (!value) return fallback
    if ((words as readonly string[]).includes(value)) return value as T
    faults.push(`${name}="${value}": use one of ${words.join(', ')}`)
    return fallback
  }
  const url = (name: string, fallback?: string): string | undefined => {
    const value = text(name) ?? fallback
    if (!value) return undefined
    try {
      const parsed = new URL(value)
      if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw new Error('protocol')
      if (parsed.search || parsed.hash || parsed.username || parsed.password) throw new Error('more than an address')
      // Pages, cookies and webhooks are addressed from the root of a host.
      if (name === 'PUBLIC_URL' && !/^\/+$/.test(parsed.pathname)) throw new Error('path')
      return value.replace(/\/+$/, '')
    } catch {
      const example = name === 'PUBLIC_URL' ? 'https://recado.example.com' : 'https://graph.facebook.com'
      const shown = value.replace(/\/\/[^@/]*@/, '//…@')
      faults.push(
        `Invalid base URL: ${name}="${shown}". Please provide a valid base URL, for example ${name}=${example}`,
      )
      return undefined
    }
  }

  const portText = text('PORT') ?? '3000'
  const port = Number(portText)
  const isPort = /^[0-9]{1,5}$/.test(portText) && port <= 65535
  if (!isPort) faults.push(`PORT="${portText}": use a number from 0 to 65535`)

  const dataDir = resolve(text('DATA_DIR') ?? './data')
  const database = readDatabase(text, dataDir, faults)
  const mediaUrl = text('MEDIA_URL')
  const { address: s3, faults: ofMedia } = mediaUrl
    ? readMediaUrl(mediaUrl, { id: text('AWS_ACCESS_KEY_ID'), secret: text('AWS_SECRET_ACCESS_KEY') })
    : { faults: [] }
  faults.push(...ofMedia)

  const secrets = readSecrets(text, faults)
  const passwordList = text('PASSWORD_LIST')

  const version = text('GRAPH_VERSION') ?? 'v25.0'
  if (!/^v\d{1,3}\.\d{1,2}$/.test(version)) faults.push(`GRAPH_VERSION="${version}": use the form v25.0`)

  const publicUrl = url('PUBLIC_URL', `http://localhost:${isPort ? port : 3000}`)
  const graphUrl = url('GRAPH_URL', 'https://graph.facebook.com')
  const { addresses: outboundAllow, faults: ofAllowed } = readAllowedAddresses(text('OUTBOUND_ALLOW') ?? '')
  faults.push(...ofAllowed)
  const upstream = readUpstream(text, outboundAllow, faults)
  const signup = oneOf('SIGNUP', ['first', 'open', 'invite'], 'first')
  const sandbox = oneOf('SANDBOX', ['on', 'off'], 'on') === 'on'
  const snapshotsText = text('SNAPSHOTS') ?? '3'
  const snapshots = Number(snapshotsText)
  if (!/^\d{1,3}$/.test(snapshotsText))
    faults.push(`SNAPSHOTS="${snapshotsText}": use how many nightly backups are kept, 0 for none`)
  const logLevel = oneOf('LOG_LEVEL', logLevels, 'info')

  const filesQuotaBytes = readFilesQuota(text, faults)
  const metricsToken = text('METRICS_TOKEN')
  if (metricsToken !== undefined && !/^[\x21-\x7e]{1,500}$/.test(metricsToken))
    faults.push('METRICS_TOKEN: use characters of ASCII without spaces, such as the output of `openssl rand -hex 24`')

  const trustProxy = readTrustProxy(text, faults)
  const meta = readMetaApp(text, faults)
  const mail = readMail(text, faults)
  if (faults.length) throw new ConfigError(faults)
  return Object.freeze({
    host: text('HOST') ?? '127.0.0.1',
    port,
    publicUrl: publicUrl as string,
    dataDir,
    ...database,
    s3,
    ...secrets,
    passwordList: passwordList && resolve(passwordList),
    signup,
    mail,
    graph: { url: graphUrl as string, version },
    meta,
    sandbox,
    ...upstream,
    outboundAllow,
    snapshots,
    filesQuotaBytes,
    metricsToken,
    trustProxy,
    logLevel,
  })
}
