/** The archive of an organization's data: its content, who may have it, and how often. */

import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createContents } from '#server/features/exports/contents.ts'
import { createDownloads } from '#server/features/exports/downloads.ts'
import { zip } from '#server/features/exports/zip.ts'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { cookieOf } from '#test/helpers/sign-in.ts'
import { unzip } from '#test/helpers/unzip.ts'

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
  const { org, member } = await aMember({ databases })
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
  const contents = createContents({
    ...{ databases, translate, readFile: async () => undefined, rowsPerFile: 500 },
    readTimeZone: async () => defaultTimeZone,
  })
  const caller = { ...member, orgName: org.name, language: 'es', scope: seesAll } as unknown as OrgCaller
  const read = async () => {
    const files = new Map<string, string>()
    for await (const { name, body } of contents({ caller, at: new Date(at) })) {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      if (/^(contacts|records\/contacts)/.test(name)) files.set(name, Buffer.concat(chunks).toString())
    }
    return files
  }
  const linesOf = (text: string) => text.split('\n').length - 1 - Number(text.includes('\r\n'))
  const files = await read()
  t.same(
    [...files].map(([name, text]) => [name, linesOf(text)]),
    [
      ['contacts-001.csv', 500],
      ['contacts-002.csv', 500],
      ['contacts-003.csv', 1],
      ['records/contacts-001.jsonl', 500],
      ['records/contacts-002.jsonl', 500],
      ['records/contacts-003.jsonl', 1],
    ],
  )
  for (const start of ['contacts', 'records/']) {
    const all = [...files].filter(([name]) => name.startsWith(start)).map(([, text]) => text)
    t.same(
      people.filter(({ id }) => !all.some(text => text.includes(id))),
      [],
    )
  }
  await databases.write.deleteFrom('contact').execute()
  t.same(
    [...(await read())].map(([name, text]) => [name, linesOf(text)]),
    [
      ['contacts-001.csv', 0],
      ['records/contacts-001.jsonl', 0],
    ],
    'of nobody there is a head',
  )
})

t.test('owners and administrators have the archive made and download it, nobody else can', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const { owner, customer } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
  const other = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550202' })
  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, cookie: string, headers: Record<string, string> = {}) =>
    backend.inject({ method, url, headers: { cookie, 'accept-language': 'es', ...headers } })
  const path = '/api/organization/export'
  const begin = (cookie: string) => ask('POST', path, cookie)
  const archiveOf = async (cookie: string) => (await ask('GET', path, cookie)).json().archive

  for (const role of ['member', 'developer', 'viewer', 'billing'] as const) {
    const mate = await aMember({ databases, org: owner.org, role })
    t.equal((await begin(mate.cookie)).statusCode, 403, role)
  }
  t.match(await archiveOf(owner.cookie), { state: 'failed', failure: 'broken' }, 'an earlier one')
  const admin = await aMember({ databases, org: owner.org, role: 'admin' })
  const begun = await begin(admin.cookie)
  t.equal(begun.statusCode, 202, begun.body)
  t.match(begun.json(), { state: 'running', author: admin.user.name, url: null, expiresAt: null })
  const again = await begin(owner.cookie)
  if (again.statusCode !== 202) t.match(again.json(), { code: 'EXPORTS_UNDER_WAY' })
  await backend.settle()
  const made = await archiveOf(owner.cookie)
  t.match(made, { state: 'done', failure: null, done: made.messages })
  t.ok(made.contacts > 0 && made.messages > 0 && made.size > 0)
  const notices = await ask('GET', '/api/notify', admin.cookie)
  t.match(notices.body, /La exportación está lista/)

  const { url } = made
  t.equal((await backend.inject({ method: 'GET', url })).statusCode, 401, 'nobody')
  t.equal((await ask('GET', url, other.owner.cookie)).statusCode, 403, 'somebody else')
  t.equal((await ask('GET', '/api/organization/export/file', other.owner.cookie)).statusCode, 409, 'theirs is not made')

  const reply = await ask('GET', url, owner.cookie)
  t.equal(reply.statusCode, 200, reply.body.slice(0, 300))
  t.match(reply.headers, {
    'content-type': 'application/zip',
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
    'content-length': String(made.size),
    'content-disposition': new RegExp(`^attachment; filename="${owner.org.slug}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
  })
  const half = Math.floor(made.size / 2)
  const { etag } = reply.headers as { etag: string }
  const rest = await ask('GET', url, owner.cookie, { range: `bytes=${half}-`, 'if-range': etag })
  t.equal(rest.statusCode, 206)
  t.ok(rest.rawPayload.equals(reply.rawPayload.subarray(half)), 'a download that broke goes on where it was')
  t.equal((await ask('GET', url, owner.cookie, { range: `bytes=${half}-`, 'if-range': '"other"' })).statusCode, 200)
  t.equal((await ask('GET', url, owner.cookie, { range: `bytes=${made.size}-` })).statusCode, 416)

  const files = unzip(reply.rawPayload)
  const names = [...files.keys()]
  for (const name of ['LEEME.txt', 'organization.json', 'people.csv', 'contacts-001.csv', 'messages-001.csv'])
    t.ok(names.includes(name), `${name} of ${names.join(', ')}`)
  t.equal(JSON.parse(String(files.get('organization.json'))).slug, owner.org.slug)
  t.match(String(files.get('contacts-001.csv')), customer)
  const stored = await databases.read.selectFrom('message').where('org_id', '=', owner.org.id).selectAll().execute()
  const table = String(files.get('messages-001.csv'))
  t.ok(table.split('\r\n').length - 2 >= stored.length)
  const media = names.filter(name => name.startsWith('media/'))
  t.ok(media.length > 0, 'with its files')
  const answered = String(files.get('records/ready-answers-001.jsonl'))
  for (const name of media) t.ok(table.includes(name) || answered.includes(name), `${name} is named by its message`)

  const manifest = JSON.parse(String(files.get('archive.json')))
  t.match(manifest, {
    format: 'recado',
    version: 1,
    organization: { id: owner.org.id },
    counts: { messages: stored.length },
  })
  for (const kind of Object.keys(manifest.counts)) {
    const lines = String(files.get(`records/${kind}-001.jsonl`))
      .split('\n')
      .filter(Boolean)
    t.equal(lines.length, manifest.counts[kind], kind)
    for (const line of lines) t.doesNotThrow(() => JSON.parse(line), kind)
  }
  for (const kind of ['contacts', 'tags', 'fields', 'templates', 'flows', 'bulk-sends', 'bulk-recipients', 'audit'])
    t.ok(manifest.counts[kind] > 0, kind)
  const pages = names.filter(name => name.startsWith('chats/'))
  const page = pages.map(name => String(files.get(name))).find(text => text.includes(`Secreto de Panadería`)) ?? ''
  t.ok(page, 'with a page for each chat')
  const [, picture = ''] = /<img src="\.\.\/([^"]+)"/.exec(page) ?? []
  t.ok(files.has(decodeURIComponent(picture)), 'whose files lie beside it')
  const list = String(files.get('index.html'))
  for (const name of pages) t.ok(list.includes(encodeURIComponent(name.slice('chats/'.length))), name)

  const all = [...files.values()].map(String).join('\n')
  t.notMatch(all, '5491155550202', 'nothing of another organization')
  t.notMatch(all, other.owner.user.email)
  const rows = Object.values(await rowsOfOrg(databases, owner.org.id)).flat()
  for (const value of rows.flatMap(row => Object.values(row)))
    if (typeof value === 'string' && /^v[12]\./.test(value)) t.notOk(all.includes(value), 'nothing sealed')
  const keys = await databases.read.selectFrom('apikey').select('key').where('referenceId', '=', owner.org.id).execute()
  for (const { key } of keys) t.notOk(all.includes(key), 'no hash of a key')
  const passwords = await databases.read
    .selectFrom('account')
    .select('password')
    .where('password', 'is not', null)
    .execute()
  for (const { password } of passwords) t.notOk(all.includes(password as string), 'no hash of a password')

  const entries = await ask('GET', '/api/organization/audit?kind=exports', owner.cookie)
  t.ok(entries.json().items.some((one: { who: { id: string } }) => one.who.id === admin.user.id))
  t.equal((await ask('DELETE', path, owner.cookie)).statusCode, 200)
  t.equal(await archiveOf(owner.cookie), null)
  t.equal((await ask('GET', url, owner.cookie)).statusCode, 404)
  t.same(backend.errors(), [])
})

t.test('an archive goes with its days, its permission and an erased contact; impersonators get none', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const { owner, customer } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
  const fellow = await aMember({ databases, org: owner.org, role: 'owner' })
  const site = await aPerson({ databases, siteRole: 'admin' })
  const ask = (method: 'GET' | 'POST', url: string, cookie: string, payload?: object) =>
    backend.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) })
  const make = async (cookie: string) => {
    await ask('POST', '/api/organization/export', cookie)
    await backend.settle()
    return (await ask('GET', '/api/organization/export', cookie)).json().archive
  }
  const borrowed = await ask('POST', '/api/auth/admin/impersonate-user', site.cookie, { userId: owner.user.id })
  const refused = await ask('POST', '/api/organization/export', cookieOf(borrowed))
  t.match([refused.statusCode, refused.json().code], [403, 'EXPORTS_NOT_WHILE_IMPERSONATING'])

  const { url } = await make(fellow.cookie)
  t.equal((await ask('GET', url, fellow.cookie)).statusCode, 200)
  t.equal((await ask('GET', url, cookieOf(borrowed))).statusCode, 403)
  await databases.write.updateTable('member').set({ role: 'member' }).where('userId', '=', fellow.user.id).execute()
  t.equal((await ask('GET', url, fellow.cookie)).statusCode, 403)

  const erased = await ask('POST', `/api/whatsapp/conversations/${customer}/erasure`, owner.cookie, {
    reason: 'asked',
    confirm: `+${customer}`,
  })
  t.ok(erased.statusCode < 300, erased.body)
  await backend.settle()
  t.match((await ask('GET', '/api/organization/export', owner.cookie)).json().archive, {
    state: 'failed',
    failure: 'erased',
    url: null,
  })
  t.match((await ask('GET', url, owner.cookie)).json(), { code: 'EXPORTS_NOT_READY' })

  t.match(await make(owner.cookie), { state: 'done' })
  backend.clock.advance(7 * 24 * 3_600_000 + 60_000)
  t.equal((await ask('GET', url, owner.cookie)).statusCode, 404)
  await backend.settle()
  t.same(await databases.read.selectFrom('org_archive').selectAll().execute(), [])
})

t.test('an abandoned download frees its slot for the next one', async t => {
  const piece = randomBytes(64 * 1024)
  const pieces = async function* () {
    for (let n = 0; n < 200; n += 1) yield piece
  }
  const downloads = createDownloads({ log: keptLog(), stallMs: 200 })
  // A server has its sockets; here nothing else keeps the process alive.
  const awake = setInterval(() => {}, 100)
  t.teardown(() => clearInterval(awake))
  const left = downloads.open('owner', 'org', pieces())
  left.on('error', () => {})
  const isBegun = new Promise(resolve => left.once('readable', resolve))
  await isBegun
  t.throws(() => downloads.open('owner', 'org', pieces()), { code: 'EXPORTS_UNDER_WAY' })
  await new Promise(resolve => left.once('close', resolve))
  let bytes = 0
  // A slow reader that is still fast enough gets everything.
  for await (const piece of downloads.open('owner', 'org', pieces())) {
    bytes += (piece as Buffer).length
    if (bytes < 1_000_000) await new Promise(resolve => setTimeout(resolve, 30))
  }
  t.equal(bytes, 200 * piece.length)
})

t.test('a download read too slowly is aborted, too', async t => {
  const piece = randomBytes(64 * 1024)
  const pieces = async function* () {
    for (let n = 0; n < 200; n += 1) yield piece
  }
  const downloads = createDownloads({ log: keptLog(), stallMs: 400, bytesPerSecond: 64 * 1024 * 1024 })
  const slow = downloads.open('owner', 'org', pieces())
  const read = async () => {
    for await (const _ of slow) await new Promise(resolve => setTimeout(resolve, 100))
  }
  await t.rejects(read(), { message: 'the export is no longer read' })
  t.doesNotThrow(() => downloads.open('owner', 'org', pieces()).destroy())
})
