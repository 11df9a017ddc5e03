/** Chatwoot's database as pg_dump writes it: what comes along of each version, once, and what an undo leaves. */

import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createArchiveTaking } from '#server/features/imports/archive/taking.ts'
import { createPieces } from '#server/features/imports/creating/pieces.ts'
import { findImport } from '#server/features/imports/store.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { chatwootTables, ourNumber, phoneOf, pictureKey } from '#test/fixtures/dumps/chatwoot.ts'
import { postgresDump, postgresInserts } from '#test/fixtures/dumps/plain.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { call, connectedOrg, getImport, messagesOf, picture, preview, rowsLeft, takeDump, undo } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases, parts } = backend
const connected = (name: string) => connectedOrg(backend, name)
const contents = async (orgId: string) => ({
  messages: await messagesOf(backend, orgId),
  contacts: await databases.read
    .selectFrom('contact')
    .select(['name', 'wa_id', 'note', 'blocked_at'])
    .where('org_id', '=', orgId)
    .orderBy('wa_id')
    .execute(),
})
const dumpOf = (...of: Parameters<typeof chatwootTables>) => Buffer.from(postgresDump(chatwootTables(...of)))
const whole = dumpOf()
const withFiles = () =>
  zipOf({
    'chatwoot.sql': whole,
    [`storage/${pictureKey.slice(0, 2)}/${pictureKey.slice(2, 4)}/${pictureKey}`]: picture,
  })

t.test('an account comes in whole, with notes, tags, quotes, files and blocks', async t => {
  const to = await connected('Panadería')
  const { id, found, mapping, refused } = await preview(t, to.caller, await withFiles(), { source: 'chatwoot' })
  t.match(found, {
    ...{ chats: 6, messages: 64, contacts: 6, files: 1, missingFiles: 1 },
    archive: {
      ...{ organization: 'Panadería Don Luis', madeAt: null, account: '1' },
      accounts: [
        { id: '1', name: 'Panadería Don Luis', chats: 9 },
        { id: '2', name: 'Librería', chats: 1 },
      ],
      numbers: [{ id: '1', phone: ourNumber, label: 'WhatsApp Ventas', chats: 6 }],
      agents: [{ id: '7', name: 'Marta' }],
      tags: [
        { label: 'vip', contacts: 2 },
        { label: 'mayorista', contacts: 1 },
      ],
    },
  })
  t.match(mapping.numbers, [{ from: '1', to: /^\d+$/ }], 'the only number is suggested')
  t.equal(refused, 8)
  const list = await backend.inject({ method: 'GET', url: `/api/imports/${id}/refused`, headers: to.headers })
  for (const why of [
    'No WhatsApp number',
    "It's from a group",
    'your own number',
    "isn't from WhatsApp",
    'A notice',
    'The date',
    'chat or contact',
    "isn't in the export",
  ])
    t.match(list.body, why)
  const map = (body: object) => call(to.caller, 'POST', `/${id}/mapping`, body)
  t.equal((await map({ agents: [{ from: '7', to: to.owner.user.id }] })).statusCode, 200)
  t.equal((await call(to.caller, 'POST', `/${id}/start`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', refused: 8, taken: { messages: 64, files: 1, contacts: 6 } })

  const { messages, contacts } = await contents(to.orgId)
  t.equal(messages.length, 64)
  t.match(contacts[0], { name: 'Persona 1', wa_id: phoneOf(1), note: 'Paga a 15 días', blocked_at: null })
  for (const { id, created_at } of await databases.read
    .selectFrom('contact')
    .select(['id', 'created_at'])
    .where('org_id', '=', to.orgId)
    .execute()) {
    const first = await databases.read
      .selectFrom('message')
      .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
      .select(eb => eb.fn.min('message.at').as('at'))
      .where('conversation.contact_id', '=', id)
      .where('message.type', '<>', 'activity')
      .executeTakeFirstOrThrow()
    t.equal(created_at, first.at, 'known since the first message')
  }
  t.match(contacts[1], { name: 'Persona 2', blocked_at: '2024-03-14T12:03:03.000Z' })
  t.match(contacts[2], { name: null, wa_id: phoneOf(3) })
  const of = (n: number) => messages.find(row => row.wamid === `wamid.chatwoot${n}`)
  t.match(of(1), {
    at: '2024-03-14T12:01:01.000Z',
    direction: 'in',
    text: '¿Tienen torta?\nLa grande',
    status: 'received',
  })
  t.match(of(2), {
    direction: 'out',
    author_kind: 'bot',
    author_name: 'Bot de la casa',
    text: 'precio: $ 3.500\\kg\t«oferta»',
  })
  t.match(of(12), { author_kind: 'bot' })
  t.match(of(10), { author_kind: 'person', author_id: to.owner.user.id, status: 'failed', error_code: '131047' })
  t.match(of(16), { reply_to_wamid: 'wamid.chatwoot10' })
  t.match(of(8), { text: '', revoked_at: '2024-03-14T12:09:09.000Z' })
  t.match(
    messages.filter(row => row.type === 'note').map(row => [row.direction, row.wamid, row.text]),
    [['internal', null, "O'Higgins"], ...Array.from({ length: 5 }, () => ['internal', null, String])],
  )
  t.match(of(100_004), { type: 'image', text: 'Fotos', name: 'torta.png', mime: 'image/png', state: 'stored' })
  t.match(
    messages.find(row => row.name === 'lista.pdf'),
    { type: 'document', wa_id: phoneOf(1), mime: 'application/pdf', state: 'failed', text: '' },
    'a file that is not there has a place that says so',
  )
  t.match(of(100_005), { type: 'location', content: /-34\.6/ })
  t.match(of(100_003), { wa_id: phoneOf(1) }, 'both conversations of a contact are one chat')

  const { items } = (await call(to.caller, 'GET', `/${id}/chats`)).json()
  t.equal(items.length, 6)
  for (const { found, foundSum, kept, keptSum } of items) t.strictSame([kept, keptSum], [found, foundSum])
  t.same(backend.errors(), [])
})

t.test('files of private notes are named in the preview as what cannot come along', async t => {
  const to = await connected('Notas')
  const tables = chatwootTables()
  const note = tables.messages?.find(row => row.private === true)
  const { active_storage_attachments: places = [], attachments = [] } = tables
  const file = postgresDump({
    ...tables,
    attachments: [...attachments, { ...attachments[0], id: 900, message_id: note?.id ?? null, file_type: 3 }],
    active_storage_attachments: [...places, { ...places[1], id: 900, record_id: 900 }],
  })
  const one = await preview(t, to.caller, Buffer.from(file), { source: 'chatwoot' })
  t.match(
    one.reasons.find(({ why }) => why === 'noteFile'),
    { count: 1 },
  )
  t.equal(
    one.reasons.reduce((sum, { count }) => sum + count, 0),
    one.refused,
    'every row has its reason',
  )
  const list = await backend.inject({ method: 'GET', url: `/api/imports/${one.id}/refused`, headers: to.headers })
  t.match(list.body, /file of an internal note.*lista\.pdf/)
  const started = await call(to.caller, 'POST', `/${one.id}/start`)
  t.equal(started.statusCode, 202)
  await backend.settle()
  const done = await getImport(to.caller, one.id)
  t.match(done, { state: 'done', taken: { messages: 64 }, refused: one.refused, reasons: one.reasons })
})

t.test('it is history, brings nothing twice, and an undo leaves every row as it was', async t => {
  const to = await connected('Historia')
  const before = await rowsLeft(backend, to.orgId)
  const one = await takeDump(t, to.caller, await withFiles(), 'chatwoot')
  t.match(one, { state: 'done', taken: { messages: 64, existing: 0 } })
  const after = await rowsLeft(backend, to.orgId)
  for (const table of ['conversation_segment', 'sent_message', 'webhook_delivery', 'answer_due', 'flow_session'])
    t.strictSame(after[table] ?? [], before[table] ?? [], `${table} is untouched`)
  const chats = await databases.read.selectFrom('conversation').selectAll().where('org_id', '=', to.orgId).execute()
  for (const row of chats) t.match(row, { archived: 1, unread: 0, window_closes_at: null, assignee_id: null })
  const marks = await databases.read
    .selectFrom('message')
    .select('content')
    .where('org_id', '=', to.orgId)
    .where('type', '=', 'activity')
    .execute()
  t.equal(marks.length, 6)
  t.match(JSON.parse(marks[0]?.content ?? ''), { activity: { kind: 'imported', source: 'chatwoot' } })

  const again = await takeDump(t, to.caller, whole, 'chatwoot')
  t.match(again.taken, { messages: 0, contacts: 0, existing: 64 })
  const newer = await takeDump(t, to.caller, dumpOf({ messages: 66 }), 'chatwoot')
  t.match(newer.taken, { messages: 6, contacts: 0, existing: 64 })
  await undo(t, to.caller, newer.id)
  await undo(t, to.caller, again.id)
  t.strictSame(await rowsLeft(backend, to.orgId), after)
  await undo(t, to.caller, one.id)
  t.strictSame(await rowsLeft(backend, to.orgId), before)
  t.same(backend.errors(), [])
})

t.test('older versions, forks, INSERT statements and packed dumps bring the same', async t => {
  const first = await connected('Actual')
  await takeDump(t, first.caller, whole, 'chatwoot')
  const expected = await contents(first.orgId)
  const forms: readonly (readonly [string, Buffer])[] = [
    ['a fork', dumpOf({ version: 'fork' })],
    ['with INSERT', Buffer.from(postgresInserts(chatwootTables()))],
    ['packed', gzipSync(whole)],
    ['packed in a zip', await zipOf({ 'respaldo/chatwoot.sql.gz': gzipSync(whole) })],
  ]
  for (const [name, file] of forms) {
    const to = await connected(name)
    await takeDump(t, to.caller, file, 'chatwoot')
    t.strictSame(await contents(to.orgId), expected, name)
  }
  const old = await connected('Vieja')
  await takeDump(t, old.caller, dumpOf({ version: '2' }), 'chatwoot')
  const { messages, contacts } = await contents(old.orgId)
  t.strictSame(messages, expected.messages, 'quotes are found by their number')
  t.ok(
    contacts.every(row => row.blocked_at === null),
    'it has no blocks',
  )
  const tagged = await databases.read
    .selectFrom('contact_tag')
    .innerJoin('tag', 'tag.id', 'contact_tag.tag_id')
    .innerJoin('contact', 'contact.id', 'contact_tag.contact_id')
    .select(['tag.label', 'contact.wa_id'])
    .where('contact_tag.org_id', '=', old.orgId)
    .orderBy('contact.wa_id')
    .execute()
  t.strictSame(tagged, [
    { label: 'vip', wa_id: phoneOf(1) },
    { label: 'mayorista', wa_id: phoneOf(3) },
    { label: 'vip', wa_id: phoneOf(4) },
  ])
})

t.test('of several accounts one is brought, and another is looked through when it is chosen', async t => {
  const to = await connected('Librería')
  const { id } = await preview(t, to.caller, whole, { source: 'chatwoot' })
  const map = (body: object) => call(to.caller, 'POST', `/${id}/mapping`, body)
  t.match((await map({ account: '77' })).body, /"body\.account"/)
  t.match((await map({ account: '2' })).json(), { state: 'reading', found: null })
  await backend.settle()
  t.match(await getImport(to.caller, id), {
    ...{ state: 'ready', mapping: { account: '2' } },
    found: {
      messages: 1,
      archive: { account: '2', organization: 'Librería', numbers: [{ id: '3', phone: '', label: 'Evolution' }] },
    },
  })
  await call(to.caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: 1, contacts: 1 } })
  t.match(await messagesOf(backend, to.orgId), [{ text: 'Buenas', wa_id: '5491155569999' }])
})

t.test('what is no dump of Chatwoot, or not whole, brings nothing and says why', async t => {
  const to = await connected('Rota')
  const { messages, contacts, ...rest } = chatwootTables()
  const without = (name: string) => (messages ?? []).map(({ [name]: _left, ...row }) => row)
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['a text', Buffer.from('hola'), 'notDump'],
    ['a zip without one', await zipOf({ 'foto.png': picture }), 'notDump'],
    ['of another program', Buffer.from(postgresDump({ users: [{ id: 1, name: 'x' }] })), 'notDump'],
    ['without messages', Buffer.from(postgresDump({ ...rest, contacts: contacts ?? [] })), 'notDump'],
    [
      'without a column',
      Buffer.from(postgresDump({ ...rest, contacts: contacts ?? [], messages: without('content') })),
      'columns',
    ],
    ['cut off', whole.subarray(0, whole.length - 300), 'cutOff'],
    ['cut off in a zip', await zipOf({ 'a.sql': whole.subarray(0, whole.length / 2) }), 'cutOff'],
    ['another encoding', Buffer.from(whole.toString(), 'latin1'), 'encoding'],
  ]
  const before = await rowsLeft(backend, to.orgId)
  for (const [name, file, failure] of cases)
    t.match(await preview(t, to.caller, file, { source: 'chatwoot' }), { state: 'failed', failure, found: null }, name)
  const after = await rowsLeft(backend, to.orgId)
  t.strictSame(after.message, before.message)
  t.same(backend.errors(), [])
})

t.test('an import that stops behind any commit ends as one that ran through', async t => {
  const first = await connected('Entera')
  const one = await takeDump(t, first.caller, whole, 'chatwoot')
  const broken = await connected('Cortada')
  const { orgId } = broken
  const { id } = await preview(t, broken.caller, whole, { source: 'chatwoot' })
  await databases.write.updateTable('chat_import').set({ state: 'running' }).where('id', '=', id).execute()
  const storage = parts.storages.media
  const pieces = createPieces({ ...parts, storage })
  let stops = 0
  for (;;) {
    const stop = new AbortController()
    const taking = createArchiveTaking({
      ...parts,
      ...{ pieces, recordsAtOnce: 9 },
      readTimeZone: async () => defaultTimeZone,
      removeFile: path => storage.remove(path),
      archivedImports: {
        ...parts.archivedImports,
        async store(...of) {
          stop.abort()
          return parts.archivedImports.store(...of)
        },
      },
    })
    const stored = await findImport(databases.read, orgId, id)
    if (stored?.state !== 'running') break
    if ((await taking.take(orgId, stored, { signal: stop.signal, attempts: 1 }))?.kind === 'released') stops += 1
  }
  t.ok(stops > 5, `stopped ${stops} times`)
  t.match(await getImport(broken.caller, id), { state: 'done', taken: one.taken })
  t.strictSame(await contents(orgId), await contents(first.orgId))
})
