/** The archive of an organization's data: its content, who may have it, and how often. */
import { randomBytes } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import t from 'tap'
import { createContents } from '#server/features/exports/contents.ts'
import { createDownloads } from '#server/features/exports/downloads.ts'
import { createExports } from '#server/features/exports/exports.ts'
import { zip } from '#server/features/exports/zip.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { aMember, aPerson, testSecret } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { cookieOf } from '#test/helpers/sign-in.ts'

/** The files of an archive, read from its central directory; each checksum is verified. */
const unzip = (archive: Buffer): Map<string, Buffer> => {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let n = 0; n < count; n += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of the directory')
    const [crc, packed, size] = [16, 20, 24].map(offset => archive.readUInt32LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const [nameLength, extraLength] = [28, 30].map(offset => archive.readUInt16LE(at + offset)) as [number, number]
    const local = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (archive.readUInt32LE(local) !== 0x04034b50) throw new Error(`no header of ${name}`)
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const body = inflateRawSync(archive.subarray(begin, begin + packed))
    if (body.length !== size || crc32(body) !== crc) throw new Error(`${name} is broken`)
    files.set(name, body)
    at += 46 + nameLength + extraLength
  }
  return files
}

t.test('an archive contains every file, whatever its name', async t => {
  const at = new Date('2026-11-23T10:00:00Z')
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256))
  const chunks: Buffer[] = []
  const files = async function* () {
    yield { name: 'ñandú/hola.txt', at, body: [Buffer.from('Hola '), Buffer.from('mundo')], isText: true }
    yield { name: 'empty', at: new Date(0), body: [], isText: true }
    yield { name: 'bytes.bin', at, body: [bytes.subarray(0, 9), bytes.subarray(9)], isText: false }
  }
  for await (const chunk of zip(files())) chunks.push(chunk)
  const found = unzip(Buffer.concat(chunks))
  t.same([...found.keys()], ['ñandú/hola.txt', 'empty', 'bytes.bin'])
  t.equal(found.get('ñandú/hola.txt')?.toString(), 'Hola mundo')
  t.ok(found.get('bytes.bin')?.equals(bytes))
})

t.test('a file that cannot be read completely aborts the archive', async t => {
  const files = async function* () {
    const body = (async function* () {
      yield Buffer.from('a')
      throw new Error('gone')
    })()
    yield { name: 'x', at: new Date(), body, isText: false }
  }
  await t.rejects(async () => {
    for await (const _ of zip(files()));
  }, /gone/)
})

t.test('more contacts than fit in a spreadsheet are split into several files, and none is missing', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { org } = await aMember({ databases })
  const at = '2026-11-23T10:00:00.000Z'
  const people = Array.from({ length: 1001 }, (_, n) => ({
    ...{ id: newId(), org_id: org.id, name: `Persona ${n}`, profile_name: null, username: null, wa_id: null },
    ...{ bsuid: null, created_at: at, updated_at: at },
  }))
  for (let n = 0; n < people.length; n += 500)
    await databases.write
      .insertInto('contact')
      .values(people.slice(n, n + 500))
      .execute()
  const translate = (_language: string, key: string) => key
  const contents = createContents({ databases, translate, readFile: async () => undefined, rowsPerFile: 500 })
  const read = async () => {
    const files = new Map<string, string>()
    for await (const { name, body } of contents({ orgId: org.id, language: 'es', at: new Date(at) })) {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      if (name.startsWith('contacts')) files.set(name, Buffer.concat(chunks).toString())
    }
    return files
  }
  const linesOf = (text: string) => text.trim().split('\r\n').length - 1
  const files = await read()
  t.same(
    [...files].map(([name, text]) => [name, linesOf(text)]),
    [
      ['contacts-001.csv', 500],
      ['contacts-002.csv', 500],
      ['contacts-003.csv', 1],
    ],
  )
  const all = [...files.values()].join('\n')
  t.same(
    people.filter(({ id }) => !all.includes(id)),
    [],
  )
  await databases.write.deleteFrom('contact').execute()
  t.same(
    [...(await read())].map(([name, text]) => [name, linesOf(text)]),
    [['contacts-001.csv', 0]],
    'of nobody there is a head',
  )
})

t.test('owners and administrators can download the archive, nobody else can', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const { owner, customer } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
  const other = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550202' })
  const ask = (method: 'GET' | 'POST', url: string, cookie: string) =>
    backend.inject({ method, url, headers: { cookie, 'accept-language': 'es' } })
  const prepare = (cookie: string) => ask('POST', '/api/organization/export', cookie)

  for (const role of ['member', 'developer', 'viewer', 'billing'] as const) {
    const mate = await aMember({ databases, org: owner.org, role })
    t.equal((await prepare(mate.cookie)).statusCode, 403, role)
  }
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  t.equal((await prepare(admin.cookie)).statusCode, 200, 'administrators, too')
  const prepared = await prepare(owner.cookie)
  t.equal(prepared.statusCode, 200, prepared.body)
  const { url, contacts, messages } = prepared.json()
  t.ok(contacts > 0 && messages > 0)

  t.equal((await backend.inject({ method: 'GET', url })).statusCode, 401, 'nobody')
  t.equal((await ask('GET', url, other.owner.cookie)).statusCode, 404, 'somebody else')
  t.equal((await ask('GET', '/api/organization/export/file?ticket=v1.AAAA', owner.cookie)).statusCode, 404)
  t.equal((await ask('GET', '/api/organization/export/file', owner.cookie)).statusCode, 400)

  const reply = await ask('GET', url, owner.cookie)
  t.equal(reply.statusCode, 200, reply.body.slice(0, 300))
  t.equal(reply.headers['content-type'], 'application/zip')
  t.equal(reply.headers['cache-control'], 'no-store')
  t.match(
    reply.headers['content-disposition'],
    new RegExp(`^attachment; filename="${owner.org.slug}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
  )
  const files = unzip(reply.rawPayload)
  const names = [...files.keys()]
  for (const name of ['LEEME.txt', 'organization.json', 'people.csv', 'contacts-001.csv', 'messages-001.csv'])
    t.ok(names.includes(name), `${name} of ${names.join(', ')}`)
  t.equal(JSON.parse(String(files.get('organization.json'))).slug, owner.org.slug)
  t.match(String(files.get('contacts-001.csv')), customer)
  const stored = await databases.read.selectFrom('message').where('org_id', '=', owner.org.id).select('text').execute()
  const table = String(files.get('messages-001.csv'))
  t.ok(table.split('\r\n').length - 2 >= stored.length)
  const media = names.filter(name => name.startsWith('media/'))
  t.ok(media.length > 0, 'with its files')
  for (const name of media) t.ok(table.includes(name), `${name} is named by its message`)
  const all = [...files.values()].map(String).join('\n')
  t.notMatch(all, '5491155550202', 'nothing of another organization')
  t.notMatch(all, other.owner.user.email)
  const secrets = await databases.read
    .selectFrom('wa_connection')
    .selectAll()
    .where('org_id', '=', owner.org.id)
    .execute()
  for (const value of secrets.flatMap(row => Object.values(row)))
    if (typeof value === 'string' && /^v[12]\./.test(value)) t.notOk(all.includes(value), 'nothing sealed')

  const entries = await ask('GET', '/api/organization/audit?kind=exports', owner.cookie)
  t.match(entries.json().items, [{ action: 'organizationExported', who: { id: owner.user.id }, isDone: true }])
  t.equal((await ask('GET', url, owner.cookie)).statusCode, 200, 'a download that broke can be begun again')
})

t.test(
  'a prepared download expires with its time, its permission and its session; impersonators cannot download',
  async t => {
    const backend = await startBackend(t)
    const { databases } = backend
    const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
    const fellow = await aMember({ databases, org: owner.org, role: 'owner' })
    const site = await aPerson({ databases, siteRole: 'admin' })
    const ask = (method: 'GET' | 'POST', url: string, cookie: string, payload?: object) =>
      backend.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) })
    const urlFor = async (cookie: string) => (await ask('POST', '/api/organization/export', cookie)).json().url
    const borrowed = await ask('POST', '/api/auth/admin/impersonate-user', site.cookie, { userId: owner.user.id })
    const refused = await ask('POST', '/api/organization/export', cookieOf(borrowed))
    t.match([refused.statusCode, refused.json().code], [403, 'EXPORTS_NOT_WHILE_IMPERSONATING'])

    const url = await urlFor(fellow.cookie)
    await databases.write.updateTable('member').set({ role: 'member' }).where('userId', '=', fellow.user.id).execute()
    t.equal((await ask('GET', url, fellow.cookie)).statusCode, 403)
    const late = await urlFor(owner.cookie)
    backend.clock.advance(5 * 60_000 + 1000)
    t.equal((await ask('GET', late, owner.cookie)).statusCode, 404)
  },
)

t.test('an abandoned download frees its slot for the next one', async t => {
  const databases = await freshDatabases()
  const body = Array.from({ length: 200 }, () => randomBytes(64 * 1024))
  const exports = createExports({
    ...{ databases, clock: handClock(), vault: createVault(testSecret) },
    downloads: createDownloads({ log: keptLog(), stallMs: 200 }),
    contents: async function* () {
      yield { name: 'large.bin', at: new Date(0), body, isText: false }
    },
  })
  // A server has its sockets; here nothing else keeps the process alive.
  const awake = setInterval(() => {}, 100)
  t.teardown(() => clearInterval(awake))
  const wanted = { orgId: 'org', language: 'es', at: new Date(0) } as const
  const left = exports.open(wanted)
  left.on('error', () => {})
  const isBegun = new Promise(resolve => left.once('readable', resolve))
  await isBegun
  t.throws(() => exports.open(wanted), { code: 'EXPORTS_UNDER_WAY' })
  await new Promise(resolve => left.once('close', resolve))
  let bytes = 0
  // A slow reader that is still fast enough gets the whole archive.
  for await (const piece of exports.open(wanted)) {
    bytes += (piece as Buffer).length
    if (bytes < 1_000_000) await new Promise(resolve => setTimeout(resolve, 30))
  }
  t.ok(bytes > 200 * 64 * 1024)
})

t.test('a download read too slowly is aborted, too', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const body = Array.from({ length: 200 }, () => randomBytes(64 * 1024))
  const exports = createExports({
    ...{ databases, clock: handClock(), vault: createVault(testSecret) },
    downloads: createDownloads({ log: keptLog(), stallMs: 400, bytesPerSecond: 64 * 1024 * 1024 }),
    contents: async function* () {
      yield { name: 'large.bin', at: new Date(0), body, isText: false }
    },
  })
  const slow = exports.open({ orgId: 'org', language: 'es', at: new Date(0) })
  const read = async () => {
    for await (const _ of slow) await new Promise(resolve => setTimeout(resolve, 100))
  }
  await t.rejects(read(), { message: 'nobody takes the export any more' })
  t.doesNotThrow(() => exports.open({ orgId: 'org', language: 'es', at: new Date(0) }).destroy())
})
