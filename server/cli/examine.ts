import { once } from 'node:events'
import { existsSync, lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Clock, isoIn, isoNow, systemClock } from '../clock.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { PostgresAddress } from '../database/postgres/address.ts'
import { databaseFileFault } from '../database/sqlite/faults.ts'
import type { Databases } from '../db.ts'
import { InstallationFault } from '../installation-fault.ts'
import { examinePasswordList, examineSealing } from './examine-safety.ts'
import { examineSnapshots } from './examine-snapshots.ts'
import { isBuilt, root } from './prepare.mjs'

/** What was looked at and what it is like. `fix`: the command or the step that mends it; absent when all is well. */
export interface Finding {
  readonly name: string
  readonly says: string
  readonly fix?: string
}

type Env = Readonly<Record<string, string | undefined>>
type Verdict = Omit<Finding, 'name'>

const well = (says: string): Verdict => ({ says })
const ill = (says: string, fix: string): Verdict => ({ says, fix })
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const examineNode = (): Verdict => {
  const pinned = `v${(JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8')) as { version: string }).version}`
  return process.version === pinned
    ? well(pinned)
    : ill(`${process.version} instead of ${pinned}`, 'run it through npm: npm run doctor')
}

const examineNativeModule = async (): Promise<Verdict> => {
  try {
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(':memory:')
    const version = String(db.prepare('select sqlite_version()').pluck().get())
    db.close()
    return well(`SQLite ${version}`)
  } catch (error) {
    return ill(messageOf(error), 'rm -rf node_modules && npm start')
  }
}

const isOpenToOthers = (path: string) => process.platform !== 'win32' && (lstatSync(path).mode & 0o077) !== 0

const examineDataDir = async ({ dataDir }: Config): Promise<Verdict> => {
  let nearest = dataDir
  while (!existsSync(nearest)) nearest = dirname(nearest)
  try {
    await access(nearest, constants.W_OK | constants.X_OK)
  } catch {
    return ill(`${nearest} cannot be written`, `sudo chown -R "$(id -un)" ${nearest}`)
  }
  if (nearest !== dataDir) return well(`${dataDir} will be made at the first start`)
  if (isOpenToOthers(dataDir)) return ill(`${dataDir} can be read by others on this machine`, `chmod 700 ${dataDir}`)
  const secret = join(dataDir, 'secret')
  if (existsSync(secret) && isOpenToOthers(secret))
    return ill(`${secret} can be read by others on this machine`, `chmod 600 ${secret}`)
  return well(dataDir)
}

const lowDiskBytes = 1024 ** 3
const examineDisk = ({ dataDir }: Config): Verdict => {
  let nearest = dataDir
  while (!existsSync(nearest)) nearest = dirname(nearest)
  const { bavail, bsize } = statfsSync(nearest)
  const says = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free`
  return bavail * bsize >= lowDiskBytes
    ? well(says)
    : ill(says, `make room on the disk of ${nearest} (df -h ${nearest})`)
}

const examinePragmas = ({ raw }: Databases): Verdict => {
  const wanted = { journal_mode: 'wal', synchronous: 1, foreign_keys: 1 }
  const wrong = Object.entries(wanted).filter(([name, value]) => raw.write.pragma(name, { simple: true }) !== value)
  const says = 'WAL, on the disk before it is answered, foreign keys'
  return wrong.length
    ? ill(
        `${wrong.map(([name]) => name).join(', ')} cannot be set; is the disk a network share?`,
        'put DATA_DIR on a local disk',
      )
    : well(says)
}

const examineMigrations = async ({ read }: Databases): Promise<Verdict> => {
  const { pendingMigrations, refuseNewerSchema } = await import('../migrate.ts')
  await refuseNewerSchema(read)
  const pending = await pendingMigrations(read)
  return pending.length ? ill(`${pending.length} to run: ${pending.join(', ')}`, 'npm start') : well('current')
}

const examineIntegrity = ({ raw }: Databases): Verdict => {
  const verdict = String(raw.read.pragma('quick_check(1)', { simple: true }))
  return verdict === 'ok' ? well('sound') : ill(verdict, 'npm run restore -- FILE --force, with your last backup')
}

const clockToleranceMs = 5 * 60 * 1000

const setClock = 'sudo timedatectl set-ntp true'

/** Names of migrations are given ahead, so that those that are written side by side follow one another. */
const namedAheadMs = 3 * 24 * 60 * 60 * 1000

/** No clock is right that shows a day before this version was written. */
const examineClock = (clock: Clock): Verdict => {
  const newest = readdirSync(join(root, 'migrations')).sort().at(-1) ?? ''
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})T/.exec(newest) ?? []
  const today = isoNow(clock)
  return year && isoIn(clock, namedAheadMs) < `${year}-${month}-${day}`
    ? ill(`${today} is before this version was made`, setClock)
    : well(today)
}

/** A clock that was set back makes new messages older than old ones. */
const examineOrder = async ({ read }: Databases, clock: Clock): Promise<Verdict> => {
  const last = await read
    .selectFrom('webhook_journal')
    .select('received_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return well('no webhook came yet')
  const says = `the last one came at ${last.received_at}`
  return last.received_at > isoIn(clock, clockToleranceMs) ? ill(`${says}, in the future`, setClock) : well(says)
}

const lateMs = 10 * 60 * 1000
const secondsOf = (ms: number) => Math.max(0, Math.floor(ms / 1000))

/** How long the oldest row of each kind has waited that is due; rows of a stopped server wait, too. */
const examineWaiting = async ({ read }: Databases, clock: Clock): Promise<Verdict> => {
  const { oldestUnapplied } = await import('../intake/journal.ts')
  const { listOldestDue } = await import('../jobs/health-store.ts')
  const found: { kind: string; at: string | undefined }[] = [
    { kind: 'webhooks', at: await oldestUnapplied(read) },
    ...(await listOldestDue(read, isoNow(clock))),
  ]
  const now = clock.now().getTime()
  const waits = found.flatMap(({ kind, at }) =>
    at && Date.parse(at) <= now ? [{ kind, ms: now - Date.parse(at) }] : [],
  )
  if (!waits.length) return well('nothing')
  const says = waits.map(({ kind, ms }) => `${kind} ${secondsOf(ms)} s`).join(', ')
  return waits.some(({ ms }) => ms > lateMs)
    ? ill(says, 'npm start; where it runs already, its log tells why')
    : well(says)
}

/** What was put aside. Parts of webhooks that no room takes are kept for a version that does. */
const examinePutAside = async ({ read }: Databases): Promise<Verdict> => {
  const { countUntaken } = await import('../intake/untaken-store.ts')
  const { countPutAside } = await import('../intake/store.ts')
  const { countParkedJobs } = await import('../jobs/health-store.ts')
  const { countParked } = await import('../events/store.ts')
  const list = (counts: ReadonlyMap<string, number>, what: string) =>
    counts.size ? [`${what}: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`] : []
  const webhooks = await countPutAside(read)
  const faults = [
    ...(webhooks.failed ? [`webhooks that could not be applied: ${webhooks.failed}`] : []),
    ...list(await countParkedJobs(read), 'jobs put aside'),
    ...list(await countParked(read), 'events given up'),
  ]
  const says = [
    ...faults,
    ...(webhooks.unknownNumber ? [`webhooks of numbers that are not connected: ${webhooks.unknownNumber}`] : []),
    ...list(await countUntaken(read), 'webhooks kept for a newer version'),
  ].join('; ')
  if (!says) return well('nothing')
  return faults.length
    ? ill(says, 'look in the log of that time for the reason; a newer version may take them: git pull && npm start')
    : well(says)
}

const keysOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path ? `${path}.${key}` : key))
    : [path]

const examineTexts = (): Verdict => {
  const folder = join(root, 'locales')
  const keys = (language: string) =>
    readdirSync(join(folder, language))
      .sort()
      .flatMap(name => keysOf(JSON.parse(readFileSync(join(folder, language, name), 'utf8')), name))
  const [first, ...others] = readdirSync(folder).sort()
  const wanted = new Set(keys(first as string))
  const differing = others.flatMap(language => {
    const there = new Set(keys(language))
    return [...[...wanted].filter(key => !there.has(key)), ...[...there].filter(key => !wanted.has(key))]
  })
  return differing.length
    ? ill(`languages differ in ${differing.slice(0, 3).join(', ')}`, 'npm run check')
    : well(`${wanted.size} in each language`)
}

const answersAsRecado = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })
    return response.ok && ((await response.json()) as { status?: string }).status === 'ok'
  } catch {
    return false
  }
}

const examinePort = async ({ host, port }: Config): Promise<Verdict> => {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return well(`${host}:${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && (await answersAsRecado(`http://${host}:${port}`)))
      return well(`Recado is running on ${host}:${port}`)
    if (code === 'EADDRINUSE') return ill(`another program has ${host}:${port}`, `PORT=${port + 1} npm start`)
    if (code === 'EADDRNOTAVAIL') return ill(`this machine has no address ${host}`, 'HOST=127.0.0.1 npm start')
    if (code === 'EACCES')
      return ill(`${host}:${port} needs more rights`, 'PORT=3000 npm start, behind a reverse proxy')
    return ill(messageOf(error), 'set HOST and PORT')
  } finally {
    server.close()
  }
}

const examineFiles = async ({ s3, dataDir }: Config): Promise<Verdict> => {
  if (!s3) return well(`no MEDIA_URL: files lie in ${dataDir}`)
  const { examineS3 } = await import('../files/s3-examine.ts')
  try {
    await examineS3(s3)
    return well(`the bucket "${s3.bucket}" at ${s3.endpoint} keeps files`)
  } catch (error) {
    if (error instanceof InstallationFault) return ill(error.says, error.fix)
    throw error
  }
}

const mailTimeoutMs = 5000
const examineMail = async ({ mail, dataDir }: Config): Promise<Verdict> => {
  if (!mail.smtpUrl) return well(`no SMTP_URL: every mail becomes a file in ${join(dataDir, 'mail')}`)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(mail.smtpUrl, {
    connectionTimeout: mailTimeoutMs,
    greetingTimeout: mailTimeoutMs,
  } as never)
  const { host } = new URL(mail.smtpUrl)
  try {
    await transport.verify()
    return well(`${host} takes mail`)
  } catch (error) {
    return ill(`${host}: ${messageOf(error)}`, 'correct SMTP_URL; without it mails become files')
  } finally {
    transport.close()
  }
}

const secretOf = ({ authSecret, dataDir }: Config): string | undefined => {
  const path = join(dataDir, 'secret')
  return authSecret ?? (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined)
}

const checkTimeoutMs = 10_000

/** Each organization's number: its secrets open, the simulator is there, Meta takes the token. */
async function* examineNumbers(config: Config, databases: Databases, clock: Clock): AsyncGenerator<Finding> {
  const rows = await databases.read
    .selectFrom('wa_connection')
    .innerJoin('organization', 'organization.id', 'wa_connection.org_id')
    .select(['wa_connection.id', 'kind', 'phone', 'status', 'status_reason', 'organization.slug'])
    .where('disconnected_at', 'is', null)
    .orderBy('organization.slug')
    .limit(50)
    .execute()
  if (!rows.length) yield { name: 'WhatsApp', ...well('no number is connected yet') }
  const { createVault } = await import('../secrets.ts')
  const { createKeyring } = await import('../numbers/keyring.ts')
  const { createCloudNumber } = await import('../whatsapp/cloud.ts')
  const secret = secretOf(config)
  const keyring = secret ? createKeyring({ databases, clock, vault: createVault(secret) }) : undefined
  const examine = async ({
    id,
    kind,
    phone,
    status,
    status_reason: reason,
    slug,
  }: (typeof rows)[number]): Promise<Verdict> => {
    const reconnect = `connect the number again at /org/${slug}`
    try {
      const connection = (await keyring?.find({ id }))?.opened
      if (!connection)
        return ill(
          'the secret its tokens are sealed with is gone or another one',
          `restore DATA_DIR/secret or AUTH_SECRET, or ${reconnect}`,
        )
      if (kind === 'sandbox')
        return config.sandbox
          ? well(`${phone}, simulated`)
          : ill('connected to the simulator, which is off', 'SANDBOX=on npm start')
      const { accessToken, appSecret, phoneNumberId, wabaId } = connection
      const number = createCloudNumber({
        baseUrl: config.graph.url,
        version: config.graph.version,
        phoneNumberId,
        wabaId,
        accessToken,
        appSecret,
        timeoutMs: checkTimeoutMs,
      })
      await number.check()
      return status === 'connected'
        ? well(`${phone}, token accepted`)
        : ill(`${phone}: ${status} ${reason ?? ''}`.trim(), reconnect)
    } catch (error) {
      return ill(`${phone}: ${messageOf(error)}`, reconnect)
    }
  }
  for (const row of rows) yield { name: `WhatsApp ${row.slug}`, ...(await examine(row)) }
}

/** A check that breaks is a finding too. */
const guarded = async (name: string, examine: () => Verdict | Promise<Verdict>, path = ''): Promise<Finding> => {
  try {
    return { name, ...(await examine()) }
  } catch (error) {
    const fault = error instanceof InstallationFault ? error : databaseFileFault(error, path)
    return { name, ...(fault ? ill(fault.says, fault.fix) : ill(messageOf(error), 'npm run check')) }
  }
}

const examineSecret = async (config: Config, { read }: Databases): Promise<Verdict> => {
  const { checkSecretBelongs } = await import('../auth/secret-check.ts')
  const { hasSealedRows } = await import('../compose.ts')
  await checkSecretBelongs({ config, db: read, hasSealedRows })
  return well(config.authSecret ? 'AUTH_SECRET' : join(config.dataDir, 'secret'))
}

/** What lies in a database, whatever its engine. */
async function* examineContents(config: Config, databases: Databases, clock: Clock): AsyncGenerator<Finding> {
  yield await guarded('Secret', () => examineSecret(config, databases))
  const migrations = await guarded('Migrations', () => examineMigrations(databases))
  yield migrations
  if (migrations.fix) return
  yield { name: 'Webhooks', ...(await examineOrder(databases, clock)) }
  yield await guarded('Waiting', () => examineWaiting(databases, clock))
  yield await guarded('Put aside', () => examinePutAside(databases))
  yield await guarded('Backups', () => examineSnapshots(config, databases, clock))
  yield* examineNumbers(config, databases, clock)
}

async function* examinePostgresDatabase(
  config: Config,
  address: PostgresAddress,
  clock: Clock,
): AsyncGenerator<Finding> {
  const { openPostgres } = await import('../database/postgres/open.ts')
  const { examinePostgres } = await import('../database/postgres/examine.ts')
  const databases = openPostgres(address, { onLoss: () => undefined })
  try {
    const server = await guarded('Database', async () => {
      await examinePostgres(databases.read, address)
      return well(config.databaseName)
    })
    yield server
    if (!server.fix) yield* examineContents(config, databases, clock)
  } finally {
    await databases.close()
  }
}

async function* examineDatabase(config: Config, clock: Clock): AsyncGenerator<Finding> {
  if (config.postgres) {
    yield* examinePostgresDatabase(config, config.postgres, clock)
    return
  }
  if (!existsSync(config.databasePath)) {
    const secret = join(config.dataDir, 'secret')
    yield {
      name: 'Database',
      ...(existsSync(secret) && !config.authSecret
        ? ill(
            `${config.databasePath} is not there, and ${secret} belongs to a database with data`,
            'set DATA_DIR or DATABASE_URL to where the data lies, or bring a backup back with npm run restore -- FILE --force',
          )
        : well('will be made at the first start')),
    }
    return
  }
  let databases: Databases
  try {
    const { openDatabase } = await import('../database/sqlite/open.ts')
    databases = openDatabase(config.databasePath)
  } catch (error) {
    const fault = databaseFileFault(error, config.databasePath)
    yield {
      name: 'Database',
      ...(fault
        ? ill(fault.says, fault.fix)
        : ill(messageOf(error), `npm run restore -- FILE --force, with your last backup of ${config.databasePath}`)),
    }
    return
  }
  try {
    const integrity = await guarded('Database', () => examineIntegrity(databases), config.databasePath)
    yield integrity
    if (integrity.fix) return
    yield { name: 'Durability', ...examinePragmas(databases) }
    yield* examineContents(config, databases, clock)
  } finally {
    await databases.close()
  }
}

/**
 * Looks at everything that must hold for the server to work here, one finding at a time. Changes nothing; asks Meta
 * only about numbers that are connected to it.
 */
export async function* examine(env: Env, clock: Clock = systemClock): AsyncGenerator<Finding> {
  yield await guarded('Node', examineNode)
  yield await guarded('Native module', examineNativeModule)
  yield await guarded('Clock', () => examineClock(clock))
  yield await guarded('Texts', examineTexts)
  yield await guarded('Pages', () =>
    isBuilt() ? well('built from these sources') : ill('not built, or sources changed since', 'npm run build'),
  )
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const fault of error.faults)
      yield { name: 'Environment', ...ill(fault, 'correct the variable and run npm run doctor again') }
    return
  }
  yield { name: 'Environment', ...well(`PUBLIC_URL ${config.publicUrl}`) }
  yield await guarded('Data folder', () => examineDataDir(config))
  yield await guarded('Disk', () => examineDisk(config))
  yield await guarded('Files', () => examineFiles(config))
  yield* examineDatabase(config, clock)
  yield await guarded('Address', () => examinePort(config))
  yield await guarded('Mail', () => examineMail(config))
  yield await guarded('Sealing', () => examineSealing(config))
  yield await guarded('Passwords', () => examinePasswordList(config))
}
