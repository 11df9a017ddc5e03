/** Chats that WhatsApp exported: looked through, taken in as history, and removed again. */
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'
import { anExport, call, chat, customer, getImport, mapping, picture, preview, take } from './stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const owner = await aMember({ databases, orgName: 'Panadería' })
const { cookie, org } = owner
const caller = { backend, cookie }
const headers = { cookie }
await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
await backend.inject({
  ...{ method: 'POST', url: '/api/sandbox/inbound', headers },
  payload: { from: '5491155550999', text: 'Otra persona' },
})
await backend.settle()

const get = async (url: string) => (await backend.inject({ method: 'GET', url: `/api${url}`, headers })).json()
const listed = async () =>
  (await get('/whatsapp/conversations')).items.find(({ phone }: { phone: string }) => phone === customer)
const thread = async () => (await get(`/whatsapp/chats/${customer}`)).items

/** What an import must leave as it was: everything but its own row, what is written down of calls, and live events. */
const ownTables = new Set([
  'chat_import',
  'audit_entry',
  'event',
  'org_counter',
  'idempotency',
  'job',
  'api_call',
  'search_org',
  'search_place',
])
const rest = async () => {
  await backend.settle()
  const rows = await rowsOfOrg(databases, org.id)
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([table]) => !ownTables.has(table))
      .map(([table, all]) => [table, all.map(row => JSON.stringify(row)).sort()]),
  )
}

t.test('a chat is looked through before anything comes in', async t => {
  const before = await rest()
  const one = await preview(t, caller, await anExport(), { fileName: 'Chat de WhatsApp con Ana.zip' })
  t.match(one, {
    state: 'ready',
    fileName: 'Chat de WhatsApp con Ana.zip',
    found: {
      ...{ chats: 1, messages: 7, contacts: 1, files: 1, missingFiles: 1, dateOrder: 'dmy', isDateSure: true },
      ...{ from: '2024-03-12T10:15:02', to: '2024-03-13T11:03:00' },
      names: [
        { name: 'Ana', messages: 4 },
        { name: 'Panadería', messages: 3 },
      ],
    },
    mapping: { ours: 'Panadería' },
    refused: 1,
    taken: { messages: 0 },
  })
  const refused = await backend.inject({ method: 'GET', url: `/api/imports/${one.id}/refused`, headers })
  t.match(refused.body, /0002-falta\.pdf/)
  t.match((await call(caller, 'POST', `/${one.id}/start`)).json(), { code: 'IMPORTS_NOT_MAPPED' })
  t.match((await call(caller, 'POST', `/${one.id}/mapping`, { ours: 'Nadie' })).body, /"body\.ours"/)
  t.match((await call(caller, 'POST', `/${one.id}/undo`)).json(), { code: 'IMPORTS_WRONG_STATE' })
  const { chat_import_piece: file, file_use: _use, ...after } = await rest()
  const { chat_import_piece: _none, file_use: _before, ...unchanged } = before
  t.strictSame(after, unchanged, 'nothing but the file is new')
  t.equal(file?.length, 2, 'in the pieces in which it came')
})

t.test('the messages come in as history, and can be undone without a trace', async t => {
  const before = await rest()
  const one = await take(t, caller, await anExport())
  t.match(one, { state: 'done', failure: null, taken: { messages: 7, files: 1, contacts: 1, existing: 0 } })

  const messages = await thread()
  t.match(
    messages.map((message: { direction: string; type: string; text: string }) => [
      message.direction,
      message.type,
      message.text,
    ]),
    [
      ['internal', 'activity', ''],
      ['in', 'text', 'Hola, ¿tienen torta de ricota?'],
      ['in', 'text', 'Hola, ¿tienen torta de ricota?'],
      ['out', 'text', 'Sí, de dos tamaños.\nLa chica es para doce.'],
      ['in', 'image', 'Esta'],
      ['in', 'unsupported', ''],
      ['out', 'text', 'Listo'],
      ['out', 'text', ''],
    ],
  )
  const [deleted, edited, missing, shown] = messages.toReversed()
  t.ok(deleted.revokedAt && edited.editedAt)
  t.equal(missing.withheld, 'importedFile')
  t.match(shown.media, { mime: 'image/png', state: 'stored', name: '0001-foto.jpg' }, 'typed by its bytes')
  t.equal(shown.at, '2024-03-13T14:00:00.000Z', "on the organization's clock")
  const stored = await backend.inject({ method: 'GET', url: shown.media.url, headers })
  t.ok(stored.rawPayload.equals(picture))
  t.match(messages[0].activity, { kind: 'imported', by: { name: owner.user.name } })

  const [conversation] = (await get('/whatsapp/conversations?archived=true')).items
  t.match(conversation, { phone: customer, name: 'Ana', unread: 0, windowClosesAt: null, archived: true })
  const known = (await get('/whatsapp/contacts')).items.find(({ name }: { name: string }) => name === 'Ana')
  const side = await get(`/whatsapp/conversations/${customer}/contact`)
  t.equal(known.createdAt, '2024-03-12T13:15:02.000Z', 'known since the first message')
  t.equal(side.createdAt, known.createdAt)
  t.match((await get('/whatsapp/conversations')).items, [{ phone: '5491155550999' }], 'it is no work')
  t.match(await get('/whatsapp/unread'), { conversations: 1 })
  t.match((await get(`/whatsapp/search?q=${encodeURIComponent('ricota')}`)).items, { length: 2 }, 'it is found')
  const after = await rest()
  for (const table of [
    'conversation_segment',
    'conversation_segment_place',
    'sent_message',
    'sent_day',
    'webhook_delivery',
    'notification',
    'answer_due',
  ])
    t.strictSame(after[table] ?? [], before[table] ?? [], `${table} is untouched`)
  t.strictSame(after.chat_import_piece, before.chat_import_piece, 'the uploaded file is gone')

  t.equal((await call(caller, 'POST', `/${one.id}/undo`)).statusCode, 202)
  await backend.settle()
  t.match(await getImport(caller, one.id), { state: 'undone', undoUntil: null })
  t.strictSame(await rest(), before, 'every row is as it was')
})

t.test('the same file again brings nothing, a later one only what is new', async t => {
  const first = await take(t, caller, await anExport())
  t.match(first.taken, { messages: 7 })
  const again = await take(t, caller, await anExport())
  t.match(again, { state: 'done', taken: { messages: 0, files: 0, contacts: 0, existing: 7 } })
  const later = `${chat}[14/3/24, 9:00:00] Ana: Gracias\r\n`
  const newer = await take(t, caller, await zipOf({ '_chat.txt': later }))
  t.match(newer.taken, { messages: 1, existing: 7 })
  t.equal((await thread()).length, 10, 'one mark for each import that brought something')
  await call(caller, 'POST', `/${newer.id}/undo`)
  await backend.settle()
  t.equal((await thread()).length, 8)
  const [conversation] = (await get('/whatsapp/conversations?archived=true')).items
  t.match(conversation.lastMessage, { type: 'text', at: '2024-03-13T14:03:00.000Z' }, 'the list shows what it showed')
  await call(caller, 'POST', `/${first.id}/undo`)
  await backend.settle()
})

t.test('an undo keeps what the customer wrote meanwhile and what was here before', async t => {
  const say = (text: string) =>
    backend.inject({ method: 'POST', url: '/api/sandbox/inbound', headers, payload: { from: customer, text } })
  const one = await take(t, caller, await anExport())
  await say('Hola de nuevo')
  await backend.settle()
  const before = await listed()
  await call(caller, 'POST', `/${one.id}/undo`)
  await backend.settle()
  const after = await listed()
  t.strictSame(after, before)
  t.match(
    (await thread()).filter(({ direction }: { direction: string }) => direction !== 'internal'),
    [{ text: 'Hola de nuevo' }],
  )
  const now = backend.clock.now()
  const two = (n: number) => String(n).padStart(2, '0')
  // The organization's clock is three hours behind.
  const local = new Date(now.getTime() - 3 * 3_600_000)
  const head = `${local.getUTCDate()}/${local.getUTCMonth() + 1}/${local.getUTCFullYear()}, ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`
  const overlap = `${head} - Ana: Hola de nuevo\n${head} - Panadería: Desde el teléfono\n31/12/2023, 10:00 - Ana: Antes\n`
  const third = await take(t, caller, Buffer.from(overlap))
  t.match(third.taken, { messages: 2, existing: 1 }, 'what came by WhatsApp is not repeated')
  await call(caller, 'POST', `/${third.id}/undo`)
  await backend.settle()
  t.equal((await listed()).windowClosesAt, before.windowClosesAt)
})

t.test('a paused import continues at the message after its last commit', async t => {
  const { id } = await preview(t, caller, await anExport())
  await call(caller, 'POST', `/${id}/mapping`, mapping)
  await call(caller, 'POST', `/${id}/start`)
  const paused = await call(caller, 'POST', `/${id}/pause`)
  t.ok([200, 409].includes(paused.statusCode))
  await backend.settle()
  if (paused.statusCode === 200) {
    t.match(await getImport(caller, id), { state: 'paused' })
    t.equal((await call(caller, 'POST', `/${id}/resume`)).statusCode, 202)
    await backend.settle()
  }
  t.match(await getImport(caller, id), { state: 'done', taken: { messages: 7 } })
  await call(caller, 'POST', `/${id}/undo`)
  await backend.settle()
})

t.test('pieces come in order, and only administrators import', async t => {
  const made = await call(caller, 'POST', '', { source: 'whatsapp' })
  const { id, uploadUrl } = made.json()
  const put = (range: string | undefined, payload: string, cookie = owner.cookie) =>
    backend.inject({
      ...{ method: 'PUT', url: uploadUrl, payload },
      headers: { cookie, 'content-type': 'application/octet-stream', ...(range ? { 'content-range': range } : {}) },
    })
  t.equal((await put('bytes 0-3/10', 'abcd')).statusCode, 200)
  t.match((await put('bytes 0-3/10', 'abcd')).json(), { code: 'IMPORTS_WRONG_PLACE' })
  t.match((await put('bytes 4-9/11', 'efghij')).json(), { code: 'IMPORTS_WRONG_PLACE' }, 'another size')
  t.equal((await put('bytes 4-9/10', 'ef')).statusCode, 409, 'less than it says')
  t.equal((await put('bytes 4-9/10', 'efghijk')).statusCode, 409, 'more than it says')
  let sentMegabytes = 0
  const endless = new ReadableStream({
    pull(controller) {
      sentMegabytes += 1
      if (sentMegabytes > 200) controller.close()
      else controller.enqueue(Buffer.alloc(2 ** 20))
    },
  })
  await fetch(backend.url + uploadUrl, {
    ...{ method: 'PUT', body: endless, duplex: 'half' },
    headers: { cookie: owner.cookie, 'content-type': 'application/octet-stream', 'content-range': 'bytes 4-9/10' },
  } as RequestInit).then(
    answer => t.equal(answer.status, 409),
    () => t.pass('the line was cut'),
  )
  t.ok(sentMegabytes < 200, `a body without a length is ended after ${sentMegabytes} MB`)
  const tiny = (await put('bytes 4-4/90000', 'e')).json()
  t.match(tiny, { statusCode: 400, code: 'IMPORTS_PIECE_TOO_SMALL', message: /at least 90 bytes/ })
  t.match(tiny.details, [{ field: 'headers.content-range' }])
  t.equal((await put('bytes 9-4/10', 'ef')).statusCode, 400)
  t.equal((await put('nonsense', 'ef')).statusCode, 400)
  t.equal((await put('bytes 4-9/99999999999999', 'ef')).statusCode, 413)
  t.match((await call(caller, 'POST', `/${id}/preview`)).json(), { code: 'IMPORTS_NOT_WHOLE' })
  const member = await aMember({ databases, org, role: 'member' })
  t.equal((await put('bytes 4-9/10', 'efghij', member.cookie)).statusCode, 403)
  t.equal((await call({ backend, cookie: member.cookie }, 'GET', `/${id}`)).statusCode, 403)
  const stranger = await aMember({ databases, orgName: 'Vecina' })
  t.equal((await call({ backend, cookie: stranger.cookie }, 'GET', `/${id}`)).statusCode, 404)
  t.equal((await put('bytes 4-9/10', 'efghij')).statusCode, 200)
  await call(caller, 'POST', `/${id}/preview`)
  await backend.settle()
  t.match(await getImport(caller, id), { state: 'failed', failure: 'noChat' })
  t.same(backend.errors(), [])
})
