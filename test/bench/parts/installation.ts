import { createHash, randomBytes } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getOrCreateOrg, type SeedOrg } from '#server/cli/seed.ts'
import { seedVolume } from '#server/cli/seed-volume.ts'
import { cookieKey, sessionCookieName, signedCookieValue } from '#server/identity/auth/sessions/cookie.ts'
import { sessionIdleMs } from '#server/identity/auth/sessions/session.ts'
import { createKeyring } from '#server/identity/numbers/keyring.ts'
import { putConnection } from '#server/identity/numbers/store.ts'
import { indexSlice, outlineStretch } from '#server/messaging/search/indexing.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { emptyLog } from '#server/platform/db/empty-log.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { systemClock } from '#server/platform/time/clock.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** On the project's disk, because a temporary folder can be in memory, where an fsync costs nothing. */
const cache = join(root, 'node_modules/.cache/bench')

export interface Volume {
  readonly conversations: number
  readonly messages: number
}

/** A temporary data folder with an organization, signed-in people, and a connected number. */
export interface Installation {
  readonly dataDir: string
  readonly databasePath: string
  readonly secret: string
  readonly org: SeedOrg
  /** Addresses of the chats, the one with the newest message first. */
  readonly phones: readonly string[]
  /** The newest chat with more than a page of messages; empty when there is none. */
  readonly longChat: string
  /** One `cookie` header per person. */
  readonly cookies: readonly string[]
  /** Their ids, in the same order. */
  readonly userIds: readonly string[]
  readonly connection: {
    readonly id: string
    readonly phoneNumberId: string
    readonly wabaId: string
    readonly appSecret: string
  }
  /** Environment of a server on this folder. */
  readonly env: Record<string, string>
  remove(): void
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(name => extname(name))
    .map(name => join(root, folder, name))

/** A change of the tables or of the seed needs another volume. */
const volumeKey = (volume: Volume) => {
  const hash = createHash('sha256').update(JSON.stringify(volume))
  const made = [
    ...filesOf('migrations'),
    ...filesOf('migrations/baseline'),
    ...filesOf('server/cli').filter(name => /seed/.test(name)),
    import.meta.filename,
  ]
  for (const file of made) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

type Sown = Pick<Installation, 'org' | 'phones' | 'longChat'>

const findLongChat = ({ raw }: Databases): string =>
  (raw.read
    .prepare(
      `select contact.wa_id from conversation join contact on contact.id = contact_id
      where archived = 0 and (select count(*) from (select 1 from message where conversation_id = conversation.id limit 51)) = 51
      order by last_activity_at desc limit 1`,
    )
    .pluck()
    .get() as string | undefined) ?? ''

const sow = async (path: string, { conversations, messages }: Volume): Promise<Sown> => {
  const databases = openDatabase(path)
  try {
    await migrate(databases.write)
    const org = await getOrCreateOrg(databases)
    const { phones } = conversations
      ? seedVolume(databases, { orgId: org.id, conversations, messages }, { clock: systemClock })
      : { phones: [] }
    // Builds the search index now, so that the benchmark does not measure it.
    while (await indexSlice(databases));
    while (await outlineStretch(databases));
    // Renaming the file would lose what is still in its write-ahead log.
    if (!(await emptyLog(databases))) throw new Error('The log of a new volume could not be emptied')
    return { org, phones: phones.slice(0, 500), longChat: findLongChat(databases) }
  } finally {
    await databases.close()
  }
}

/** Created once and then copied, because a million rows take twenty seconds. */
const volumeFile = async (volume: Volume): Promise<{ path: string; sown: Sown }> => {
  mkdirSync(cache, { recursive: true })
  const size = `${volume.conversations}x${volume.messages}-`
  const path = join(cache, `${size}${volumeKey(volume)}.db`)
  if (!existsSync(`${path}.json`)) {
    // Deletes volumes of older tables or another seed: they take half a gigabyte each.
    for (const old of readdirSync(cache).filter(file => file.startsWith(size)))
      rmSync(join(cache, old), { force: true })
    const draft = `${path}.${process.pid}`
    const sown = await sow(draft, volume)
    renameSync(draft, path)
    writeFileSync(`${path}.json`, JSON.stringify(sown))
  }
  return { path, sown: JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Sown }
}

const signIn = (
  { raw }: Databases,
  orgId: string,
  people: number,
  secret: string,
  of = '',
): Pick<Installation, 'cookies' | 'userIds'> => {
  const db = raw.write
  const at = systemClock.now()
  const [now, end] = [at.toISOString(), new Date(at.getTime() + sessionIdleMs).toISOString()]
  const user = db.prepare(
    'insert into user (id, name, email, emailVerified, createdAt, updatedAt, role) values (?, ?, ?, 1, ?, ?, ?)',
  )
  const member = db.prepare('insert into member (id, organizationId, userId, role, createdAt) values (?, ?, ?, ?, ?)')
  const session = db.prepare(
    'insert into session (id, expiresAt, token, createdAt, updatedAt, userId, activeOrganizationId) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const key = cookieKey(secret)
  const name = sessionCookieName('http://localhost')
  const userIds = Array.from({ length: people }, () => newId())
  const cookies = db.transaction(() =>
    userIds.map((userId, i) => {
      const token = randomBytes(24).toString('base64url')
      user.run(userId, `Persona ${i}`, `persona${i}${of}@example.com`, now, now, 'user')
      member.run(newId(), orgId, userId, 'owner', now)
      session.run(newId(), end, token, now, now, userId, orgId)
      return `${name}=${signedCookieValue(token, key)}`
    }),
  )()
  return { userIds, cookies }
}

const connect = async (
  databases: Databases,
  orgId: string,
  secret: string,
  { phoneNumberId, phone } = { phoneNumberId: '106540352242922', phone: '5491155550000' },
): Promise<Installation['connection']> => {
  const [id, now] = [newId(), systemClock.now().toISOString()]
  const keyring = createKeyring({ databases, clock: systemClock, vault: createVault(secret) })
  const connection = {
    id,
    phoneNumberId,
    wabaId: '102290129340398',
    appSecret: randomBytes(16).toString('hex'),
  }
  const sealed = keyring.encrypt(id, { accessToken: 'EAAbench', appSecret: connection.appSecret, verifyToken: 'bench' })
  await putConnection(databases.write as OrgDb, orgId, {
    id,
    kind: 'cloud',
    phoneNumberId: connection.phoneNumberId,
    wabaId: connection.wabaId,
    phone,
    verifiedName: 'Panadería Don Luis',
    sealed,
    status: 'connected',
    statusReason: null,
    createdAt: now,
    updatedAt: now,
  })
  return connection
}

/** Creates the folder; call `remove` at the end. All `people` are owners of the organization. */
export async function openInstallation({
  people: count = 1,
  ...volume
}: Volume & { people?: number }): Promise<Installation> {
  const { path, sown } = await volumeFile(volume)
  const dataDir = join(cache, `run-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(dataDir, { mode: 0o700 })
  const databasePath = join(dataDir, 'recado.db')
  copyFileSync(path, databasePath, constants.COPYFILE_FICLONE)
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', remove)
  const secret = randomBytes(36).toString('base64')
  const databases = openDatabase(databasePath)
  try {
    const people = signIn(databases, sown.org.id, count, secret)
    const connection = await connect(databases, sown.org.id, secret)
    // The statistics are from when there was one person; with them, SQLite would scan all people for each row.
    for (const table of ['user', 'session', 'member']) databases.raw.write.exec(`analyze ${table}`)
    const env = {
      DATA_DIR: dataDir,
      AUTH_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: 'http://localhost',
      DATABASE_URL: '',
    }
    return { dataDir, databasePath, secret, ...sown, ...people, connection, env, remove }
  } finally {
    await databases.close()
  }
}

/** Further organizations, each with an owner and a connected number. Call it before a server starts. */
export async function addOrganizations(
  { databasePath, secret }: Pick<Installation, 'databasePath' | 'secret'>,
  count: number,
): Promise<Pick<Installation, 'org' | 'cookies' | 'connection'>[]> {
  const databases = openDatabase(databasePath)
  try {
    const made: Pick<Installation, 'org' | 'cookies' | 'connection'>[] = []
    for (let i = 1; i <= count; i += 1) {
      const org = { id: newId(), name: `Panadería ${i}`, slug: `panaderia-${i}` }
      const row = { ...org, createdAt: systemClock.now().toISOString(), logo: null, metadata: null }
      await databases.write.insertInto('organization').values(row).execute()
      const { cookies } = signIn(databases, org.id, 1, secret, `-${i}`)
      const connection = await connect(databases, org.id, secret, {
        phoneNumberId: String(106_540_352_243_000 + i),
        phone: String(5_491_155_551_000 + i),
      })
      made.push({ org, cookies, connection })
    }
    return made
  } finally {
    await databases.close()
  }
}
