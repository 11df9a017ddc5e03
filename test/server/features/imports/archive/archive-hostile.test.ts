/** Archives that are damaged, hostile, newer or larger than there is room; and imports that stop anywhere. */

import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createArchiveTaking } from '#server/features/imports/archive/taking.ts'
import { createPieces } from '#server/features/imports/creating/pieces.ts'
import { findImport } from '#server/features/imports/store.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { rawZip } from '#test/helpers/raw-zip.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { unzip } from '#test/helpers/unzip.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { archiveOf, call, getImport, preview, takeArchive } from '../stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases, parts } = backend
const { read, write } = databases

const connected = async (orgName: string) => {
  const owner = await aMember({ databases, orgName })
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
  await backend.settle()
  return { orgId: owner.org.id, headers, caller: { backend, cookie: owner.cookie } }
}
const countMessages = async (orgId: string) =>
  (await read.selectFrom('message').select('id').where('org_id', '=', orgId).execute()).length

const manifest = {
  format: 'recado',
  version: 1,
  madeAt: '2026-11-29T10:00:00.000Z',
  organization: { id: 'o', name: 'O' },
}
const contact = { id: 'c', name: 'Ana', waId: '5491155560001', tags: [], fields: [] }
const conversation = { id: 'v', contact: 'c', number: 'n' }
const message = {
  ...{ id: 'm', conversation: 'v', wamid: null, at: '2025-01-01T10:00:00.000Z', direction: 'in', type: 'text' },
  ...{ text: 'Hola', content: null, status: 'received', reactions: [] },
}
const lines = (all: readonly unknown[]) =>
  all.map(one => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
const filesOf = (messages: readonly unknown[], more: Record<string, string> = {}) => ({
  'archive.json': JSON.stringify(manifest),
  'records/numbers-001.jsonl': lines([{ id: 'n', phone: '5491170000000' }]),
  'records/people-001.jsonl': '',
  'records/contacts-001.jsonl': lines([contact]),
  'records/conversations-001.jsonl': lines([conversation]),
  'records/messages-001.jsonl': lines(messages),
  ...more,
})

t.test('damaged and hostile archives bring nothing, and say why', async t => {
  const { caller, orgId } = await connected('Hostil')
  const good = await zipOf(filesOf([message]))
  const entries = Object.entries(filesOf([message])).map(([name, body]) => ({ name, body: Buffer.from(body) }))
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['no zip', Buffer.from('hola'), 'notArchive'],
    ['a zip of something else', await zipOf({ '_chat.txt': 'x' }), 'notArchive'],
    ['a manifest that is none', await zipOf({ 'archive.json': '{"format":"recado"}' }), 'notArchive'],
    [
      'a newer version',
      await zipOf(filesOf([message], { 'archive.json': JSON.stringify({ ...manifest, version: 2 }) })),
      'version',
    ],
    ['nobody in it', await zipOf(filesOf([], { 'records/contacts-001.jsonl': '' })), 'noChat'],
    ['cut off', good.subarray(0, good.length - 30), 'notZip'],
    ['a name that leads elsewhere', rawZip([...entries, { name: '../../etc/passwd' }]), 'zipName'],
    ['an absolute name', rawZip([...entries, { name: '/etc/passwd' }]), 'zipName'],
    ['a link', rawZip([...entries, { name: 'media/a', attributes: (0o120777 << 16) >>> 0 }]), 'zipLink'],
    ['names that collide', rawZip([...entries, { name: 'media/a' }, { name: 'media/A' }]), 'zipTwice'],
    ['a bomb', rawZip([...entries, { name: 'media/a', body: Buffer.alloc(8 * 1024 ** 2) }]), 'zipSize'],
    [
      'a file that lies about its size',
      rawZip([{ name: 'archive.json', body: Buffer.from(JSON.stringify(manifest)), size: 5 }]),
      'zipBroken',
    ],
  ]
  for (const [name, file, failure] of cases)
    t.match(await preview(t, caller, file, { source: 'recado' }), { state: 'failed', failure, found: null }, name)
  t.equal(await countMessages(orgId), 0)
  t.same(backend.errors(), [])
})

t.test('records that cannot be read are left out one by one, and listed', async t => {
  const { caller, orgId, headers } = await connected('Renglones')
  const long = JSON.stringify({ ...message, id: 'long', text: randomBytes(2 * 1024 ** 2).toString('hex') })
  const bad: readonly unknown[] = [
    '{"id":',
    '[]',
    'null',
    { ...message, id: 'type', type: 'nonsense' },
    { ...message, id: 'time', at: 'ayer' },
    { ...message, id: 'content', content: { media: { url: 'javascript:alert(1)' } } },
    { ...message, id: 'place', content: { location: 'x' } },
    { ...message, id: 'author', author: { kind: 'king', id: null, name: null } },
    long,
    { ...message, id: 'alone', conversation: 'nobody' },
  ]
  const odd = { ...message, id: 'odd', text: 'a\u0000b\ud800' }
  const file = await zipOf(filesOf([message, ...bad, odd, message]))
  const one = await takeArchive(t, caller, file)
  t.match(one, { state: 'done', refused: bad.length, taken: { messages: 2, contacts: 1 } })
  const list = await backend.inject({ method: 'GET', url: `/api/imports/${one.id}/refused`, headers })
  t.match(list.body, /records\/messages-001\.jsonl/)
  t.match(list.body, /Es demasiado largo|too long/)
  const rows = await read
    .selectFrom('message')
    .select('text')
    .where('org_id', '=', orgId)
    .where('type', '=', 'text')
    .execute()
  t.same(rows.map(row => row.text).sort(), ['Hola', 'ab\ufffd'])
  t.same(backend.errors(), [])
})

t.test('files that lie about what they are, are missing or have no room', async t => {
  const { caller, orgId } = await connected('Archivos')
  const file = (path: string | null) => ({ name: 'foto.png', mime: 'image/png', size: 3, sha256: null, path })
  const messages = [
    { ...message, type: 'image', file: file('media/page') },
    { ...message, id: 'gone', type: 'image', file: file('media/gone') },
    { ...message, id: 'never', type: 'image', file: file(null) },
  ]
  const archive = await zipOf(filesOf(messages, { 'media/page': '<html><script>alert(1)</script></html>' }))
  await write
    .updateTable('file_use')
    .set({ bytes: 10 ** 12 })
    .where('org_id', '=', orgId)
    .execute()
  const { id } = await preview(t, caller, archive, { source: 'recado' })
  await write
    .insertInto('file_use')
    .values({ org_id: orgId, bytes: 10 ** 13 })
    .onConflict(on => on.column('org_id').doUpdateSet({ bytes: 10 ** 13 }))
    .execute()
  await call(caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'paused', failure: 'noRoom' })
  await write.updateTable('file_use').set({ bytes: 0 }).where('org_id', '=', orgId).execute()
  await call(caller, 'POST', `/${id}/resume`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'done', failure: null, refused: 1, taken: { messages: 3, files: 1 } })
  const rows = await read
    .selectFrom('message')
    .innerJoin('media', 'media.message_id', 'message.id')
    .select(['message.type', 'media.mime', 'media.state'])
    .where('message.org_id', '=', orgId)
    .execute()
  const by = (all: typeof rows) => all.map(row => `${row.type} ${row.mime} ${row.state}`).sort()
  t.same(by(rows), ['document application/octet-stream stored', 'image image/png failed', 'image image/png failed'])
  t.same(backend.errors(), [])
})

t.test('an import that is killed after any batch and resumed equals one that ran through', async t => {
  const neighbour = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550101' })
  const archive = await archiveOf({ backend, cookie: neighbour.owner.cookie })
  const more = Array.from({ length: 60 }, (_, n) => ({
    ...message,
    id: `m${n}`,
    text: `mensaje ${n}`,
    at: `2025-01-01T10:${10 + (n % 50)}:00.000Z`,
  }))
  const files = Object.fromEntries([...unzip(archive)].map(([name, body]) => [name, body]))
  const name = 'records/messages-001.jsonl'
  const first = JSON.parse(String(files[name]).split('\n')[0] as string)
  const file = await zipOf({
    ...files,
    [name]: Buffer.from(
      `${String(files[name])}${lines(more.map(one => ({ ...one, conversation: first.conversation })))}\n`,
    ),
  })
  const contents = async (orgId: string) => {
    const messages = await read
      .selectFrom('message')
      .leftJoin('media', 'media.message_id', 'message.id')
      .select(['message.at', 'message.direction', 'message.type', 'message.text', 'message.status', 'message.wamid'])
      .select(['media.mime', 'media.sha256', 'media.state'])
      .where('message.org_id', '=', orgId)
      .orderBy('message.at')
      .orderBy('message.text')
      .orderBy('message.wamid')
      .execute()
    const contacts = await read
      .selectFrom('contact')
      .select(['name', 'wa_id', 'note', 'opt_out'])
      .where('org_id', '=', orgId)
      .orderBy('wa_id')
      .execute()
    const tags = await read.selectFrom('tag').select('label').where('org_id', '=', orgId).orderBy('label').execute()
    const conversations = await read
      .selectFrom('conversation')
      .select(['archived', 'unread', 'last_message_at', 'last_message_text', 'last_activity_at'])
      .where('org_id', '=', orgId)
      .orderBy('last_message_at')
      .execute()
    return { messages, contacts, tags, conversations }
  }
  const whole = await connected('Entera')
  const one = await takeArchive(t, whole.caller, file)
  t.match(one, { state: 'done' })

  const broken = await connected('Cortada')
  const { orgId } = broken
  const { id } = await preview(t, broken.caller, file, { source: 'recado' })
  await write.updateTable('chat_import').set({ state: 'running' }).where('id', '=', id).execute()
  const storage = parts.storages.media
  const pieces = createPieces({ ...parts, storage })
  let stops = 0
  for (;;) {
    // Each run is stopped behind its first commit, as by a process that ends.
    const stop = new AbortController()
    const taking = createArchiveTaking({
      ...parts,
      pieces,
      recordsAtOnce: 7,
      readTimeZone: async () => defaultTimeZone,
      removeFile: path => storage.remove(path),
      archivedImports: {
        ...parts.archivedImports,
        async store(...of) {
          stop.abort()
          return parts.archivedImports.store(...of)
        },
        async openContacts(...of) {
          stop.abort()
          return parts.archivedImports.openContacts(...of)
        },
      },
    })
    const stored = await findImport(read, orgId, id)
    if (stored?.state !== 'running') break
    const outcome = await taking.take(orgId, stored, { signal: stop.signal, attempts: 1 })
    if (outcome?.kind === 'released') stops += 1
  }
  t.ok(stops > 5, `stopped ${stops} times`)
  t.match(await getImport(broken.caller, id), { state: 'done', taken: one.taken })
  t.strictSame(await contents(orgId), await contents(whole.orgId))
})
