/** An organization's archive that comes in elsewhere: what comes along, once, and what an undo leaves. */
import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { unzip } from '#test/helpers/unzip.ts'
import { archiveOf, call, getImport, picture, preview, rowsLeft, takeArchive, undo } from '../stage.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const { read, write } = databases
let seed = 20_261_129
/** The same numbers in each run, so that a failure can be seen again. */
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T

const connected = async (orgName: string, email?: string) => {
  const owner = await aMember({ databases, orgName, ...(email ? { email } : {}) })
  const headers = { cookie: owner.cookie }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/connection/sandbox', headers })
  await backend.settle()
  const numbers = await read.selectFrom('wa_connection').selectAll().where('org_id', '=', owner.org.id).execute()
  return {
    owner,
    headers,
    orgId: owner.org.id,
    caller: { backend, cookie: owner.cookie },
    number: numbers[0]?.id ?? '',
  }
}
type Stage = Awaited<ReturnType<typeof connected>>

const texts = [
  'Hola',
  '¿Tienen torta?\nLa grande',
  '',
  '🙂 ñandú',
  'precio: $ 3.500; «oferta»',
  '<b>x</b>',
  '=1+1',
  'عربي',
]
const noMessage = {
  ...{ assignee_id: null, team_id: null, window_closes_at: null, free_until: null, waiting_since: null },
  ...{ last_message_seq: null, last_message_at: null, last_message_text: null, last_message_type: null },
  ...{ last_message_direction: null, last_message_status: null, last_inbound_wamid: null, last_human_event_at: null },
  ...{ control_before_archive: null, unread: 0 },
}
const at = (n: number) => new Date(Date.UTC(2025, 0, 1) + n * 61_000).toISOString()

/** An organization with a bit of everything that is brought along. */
const fill = async ({ orgId, headers, number, owner }: Stage, chats: number, messages: number) => {
  const post = async (url: string, payload: object) => {
    const reply = await backend.inject({ method: 'POST', url: `/api${url}`, headers, payload })
    if (reply.statusCode >= 300) throw new Error(`${url}: ${reply.body}`)
    return reply.json()
  }
  const tags = [await post('/whatsapp/tags', { label: 'VIP' }), await post('/whatsapp/tags', { label: 'Mayorista' })]
  const fields = [
    { id: newId(), label: 'Zona', kind: 'choice' as const, options: '["Norte","Sur"]' },
    { id: newId(), label: 'Cumpleaños', kind: 'date' as const, options: '[]' },
  ]
  await write
    .insertInto('contact_field')
    .values(fields.map(one => ({ ...one, org_id: orgId })))
    .execute()
  let n = 0
  for (let c = 0; c < chats; c += 1) {
    const contactId = newId()
    const hasPhone = c % 5 !== 4
    const waId = hasPhone ? `54911556${String(1000 + c)}` : null
    const bsuid = hasPhone ? null : `AR.${10_000_000 + c}`
    await write
      .insertInto('contact')
      .values({
        ...{ id: contactId, org_id: orgId, name: c % 3 ? `Persona ${c}` : null, profile_name: `perfil ${c}` },
        ...{ username: null, wa_id: waId, bsuid, created_at: at(0), updated_at: at(0) },
        ...{
          note: c % 4 ? null : `Nota de ${c}`,
          blocked_at: c === 2 ? at(3) : null,
          blocked_by: c === 2 ? 'Ana' : null,
        },
        opt_out: c % 3 === 1 ? JSON.stringify({ at: at(2), source: 'keyword', note: 'baja', by: null }) : null,
      })
      .execute()
    await write
      .insertInto('contact_identity')
      .values({
        ...{
          org_id: orgId,
          kind: waId ? ('phone' as const) : ('bsuid' as const),
          contact_id: contactId,
          seen_at: at(0),
        },
        ...{ match_key: waId ?? (bsuid as string), value: waId ?? (bsuid as string) },
      })
      .execute()
    if (c % 2)
      await write
        .insertInto('contact_tag')
        .values({ contact_id: contactId, tag_id: pick(tags).id, org_id: orgId })
        .execute()
    if (c % 2 === 0)
      await write
        .insertInto('contact_value')
        .values({
          contact_id: contactId,
          field_id: fields[0]?.id as string,
          org_id: orgId,
          value: pick(['Norte', 'Sur']),
        })
        .execute()
    const conversationId = newId()
    await write
      .insertInto('conversation')
      .values({
        ...{ id: conversationId, org_id: orgId, contact_id: contactId, connection_id: number, kind: 'sandbox' },
        ...{ control: 'none', last_activity_at: at(0), created_at: at(0), archived: random(2), ...noMessage },
      })
      .execute()
    const wamids: string[] = []
    for (let m = 0; m < messages; m += 1) {
      n += 1
      const id = newId()
      const kind = random(12)
      const direction = kind === 0 ? ('internal' as const) : pick(['in', 'out'] as const)
      const wamid = kind === 0 || kind === 1 ? null : `wamid.${newId()}`
      const isDeleted = kind === 2
      const hasFile = kind === 3 && direction !== 'internal'
      const location = { location: { latitude: -34.6, longitude: -58.4, name: 'Local' } }
      await write
        .insertInto('message')
        .values({
          ...{ id, org_id: orgId, conversation_id: conversationId, wamid, direction, at: at(n) },
          type: kind === 0 ? 'note' : hasFile ? 'image' : kind === 4 ? 'location' : 'text',
          text: isDeleted ? '' : pick(texts),
          content: kind === 4 ? JSON.stringify(location) : null,
          status: direction === 'in' ? 'received' : pick(['sent', 'delivered', 'read', 'failed']),
          sent_at: direction === 'out' ? at(n) : null,
          delivered_at: direction === 'out' && random(2) ? at(n + 1) : null,
          reply_to_wamid: wamids.length && !random(4) ? pick(wamids) : null,
          author_kind: direction === 'in' ? null : pick(['person', 'bot', 'bulk']),
          author_id: owner.user.id,
          author_name: direction === 'in' ? null : 'Marta que se fue',
          edited_at: kind === 5 ? at(n + 2) : null,
          revoked_at: isDeleted ? at(n + 2) : null,
        })
        .execute()
      if (wamid) wamids.push(wamid)
      if (kind === 6)
        await write
          .insertInto('reaction')
          .values({ message_id: id, org_id: orgId, by: 'contact', emoji: '❤️', at: at(n) })
          .execute()
      if (hasFile) {
        const path = `${orgId}/${id.slice(-2)}/${id}`
        const { size, sha256 } = await backend.parts.storages.media.write(
          path,
          (async function* () {
            yield Buffer.concat([picture, Buffer.from(String(n))])
          })(),
        )
        await write
          .insertInto('media')
          .values({
            ...{
              id: newId(),
              org_id: orgId,
              message_id: id,
              provider_id: '',
              mime: 'image/png',
              name: `foto ${n}.png`,
            },
            ...{ size, sha256, state: 'stored', path, created_at: at(n) },
          })
          .execute()
      }
    }
  }
}

const recordsOf = (archive: Map<string, Buffer>, kind: string): Record<string, unknown>[] =>
  [...archive]
    .filter(([name]) => name.startsWith(`records/${kind}-0`))
    .flatMap(([, body]) => String(body).split('\n').filter(Boolean))
    .map(line => JSON.parse(line))

/**
 * What is compared of two archives. Not brought along: settings and keys of the organization; people, teams and
 * numbers, which are mapped; templates, flows, bulk sends, canned responses, scheduled messages, segments, views and the
 * audit log; of a conversation whether it is open and who has it, because what is imported is history; ids, the times
 * when contacts were made, and authors' ids; what waits to be sent, which becomes failed.
 */
const comparable = (bytes: Buffer) => {
  const archive = unzip(bytes)
  const contacts = new Map<unknown, string>()
  const bySize = (all: object[]) => all.map(one => JSON.stringify(one)).sort()
  const people = recordsOf(archive, 'contacts').map(({ id, createdAt: _at, ...one }) => {
    contacts.set(id, String(one.waId ?? one.bsuid))
    return one
  })
  const chats = new Map(recordsOf(archive, 'conversations').map(({ id, contact }) => [id, contacts.get(contact)]))
  const messages = recordsOf(archive, 'messages')
    .filter(({ type }) => type !== 'activity')
    .map(({ id: _id, conversation, author, file, ...one }) => {
      const { kind, name } = (author ?? {}) as { kind?: string; name?: string }
      const { path, ...facts } = (file ?? {}) as { path?: string }
      const bytes = path ? archive.get(path)?.toString('base64') : null
      return { ...one, chat: chats.get(conversation), kind, name, facts, bytes }
    })
  return {
    contacts: bySize(people),
    chats: [...chats.values()].sort(),
    messages: bySize(messages),
    tags: recordsOf(archive, 'tags')
      .map(({ label, hue }) => `${label} ${hue}`)
      .sort(),
    fields: bySize(recordsOf(archive, 'fields').map(({ id: _id, ...one }) => one)),
  }
}

const rest = (orgId: string) => rowsLeft(backend, orgId)

const from = await connected('Panadería')
await fill(from, 12, 40)
const archive = await archiveOf(from.caller)

t.test('an archive comes in whole: an organization that had nothing exports the same', async t => {
  const to = await connected('Sucursal')
  const one = await takeArchive(t, to.caller, archive)
  t.match(one, { state: 'done', failure: null, refused: 0, taken: { messages: 480, contacts: 12, existing: 0 } })
  t.ok(one.taken.files > 0)
  t.strictSame(comparable(await archiveOf(to.caller)), comparable(archive))

  const { items, next } = (await call(to.caller, 'GET', `/${one.id}/chats`)).json()
  t.equal(items.length, 12)
  t.equal(next, null)
  for (const { found, foundSum, kept, keptSum, brought } of items)
    t.strictSame(
      [kept, keptSum, brought],
      [found, foundSum, found],
      'the checksum of what is stored is that of the file',
    )

  const again = await takeArchive(t, to.caller, archive)
  t.match(again.taken, { messages: 0, files: 0, contacts: 0, existing: 480 }, 'a second time it brings nothing')
  t.same(backend.errors(), [])
})

t.test('it is history: nobody is told, nothing is unread, and it is marked once in each chat', async t => {
  const to = await connected('Historia')
  const before = await rest(to.orgId)
  const one = await takeArchive(t, to.caller, archive)
  const after = await rest(to.orgId)
  for (const table of ['conversation_segment', 'sent_message', 'webhook_delivery', 'answer_due', 'flow_session'])
    t.strictSame(after[table] ?? [], before[table] ?? [], `${table} is untouched`)
  const conversations = await read.selectFrom('conversation').selectAll().where('org_id', '=', to.orgId).execute()
  for (const row of conversations) t.match(row, { archived: 1, unread: 0, window_closes_at: null, assignee_id: null })
  const marks = await read
    .selectFrom('message')
    .select(['conversation_id', 'content'])
    .where('org_id', '=', to.orgId)
    .where('type', '=', 'activity')
    .execute()
  t.equal(new Set(marks.map(row => row.conversation_id)).size, 12)
  t.equal(marks.length, 12)
  t.match(JSON.parse(marks[0]?.content ?? ''), { activity: { kind: 'imported', source: 'recado' } })
  await undo(t, to.caller, one.id)
  t.strictSame(await rest(to.orgId), before, 'every row is as it was')
})

t.test('a newer archive brings only what is new, and an undo keeps what others brought', async t => {
  const source = await connected('Origen')
  await fill(source, 3, 10)
  const first = await archiveOf(source.caller)
  const conversation = await read
    .selectFrom('conversation')
    .select(['id', 'contact_id'])
    .where('org_id', '=', source.orgId)
    .executeTakeFirstOrThrow()
  const to = await connected('Destino')
  await takeArchive(t, to.caller, first)
  const between = await rest(to.orgId)
  await write
    .insertInto('message')
    .values({
      ...{ id: newId(), org_id: source.orgId, conversation_id: conversation.id, wamid: `wamid.${newId()}` },
      ...{ direction: 'in', type: 'text', text: 'Algo nuevo', content: null, status: 'received', at: at(5_000) },
    })
    .execute()
  const newer = await takeArchive(t, to.caller, await archiveOf(source.caller))
  t.match(newer.taken, { messages: 1, existing: 30, contacts: 0 })
  await undo(t, to.caller, newer.id)
  t.strictSame(await rest(to.orgId), between)
})

t.test('contacts that are here keep what they have, get what they lack, and lose only that again', async t => {
  const to = await connected('Conocida')
  await backend.inject({
    ...{ method: 'POST', url: '/api/sandbox/inbound', headers: to.headers },
    payload: { from: '549115561001', text: 'Hola', name: 'Mi propio nombre' },
  })
  await backend.settle()
  const before = await rest(to.orgId)
  const one = await takeArchive(t, to.caller, archive)
  t.match(one.taken, { contacts: 11 })
  const contact = await read
    .selectFrom('contact')
    .selectAll()
    .where('org_id', '=', to.orgId)
    .where('wa_id', '=', '549115561001')
    .executeTakeFirstOrThrow()
  t.match(contact, { name: 'Persona 1', profile_name: 'Mi propio nombre', opt_out: /keyword/ })
  await undo(t, to.caller, one.id)
  t.strictSame(await rest(to.orgId), before)
})

t.test('authors become members, tags other tags, and numbers that are left out stay away', async t => {
  const to = await connected('Mapeada')
  const tag = (
    await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/tags',
      headers: to.headers,
      payload: { label: 'Importante' },
    })
  ).json()
  const { id, found, mapping } = await preview(t, to.caller, archive, { source: 'recado' })
  t.match(found, {
    ...{ chats: 12, messages: 480, contacts: 12 },
    archive: { organization: 'Panadería', agents: [{ name: from.owner.user.name }], numbers: [{ chats: 12 }] },
  })
  t.equal(found?.sample?.length, 8, 'with a piece of a chat')
  t.match(mapping.agents, [{ from: from.owner.user.id, to: null }], 'nobody here has that address')
  const map = (body: object) => call(to.caller, 'POST', `/${id}/mapping`, body)
  t.match((await map({ agents: [{ from: from.owner.user.id, to: from.owner.user.id }] })).body, /"body\.agents"/)
  t.match((await map({ tags: [{ from: 'VIP', to: newId() }] })).body, /"body\.tags"/)
  t.match((await map({ numbers: [{ from: from.number, to: '5491100000000' }] })).body, /"body\.numbers"/)
  const body = {
    agents: [{ from: from.owner.user.id, to: to.owner.user.id }],
    tags: [
      { from: 'VIP', to: tag.id },
      { from: 'Mayorista', to: null },
    ],
  }
  t.equal((await map(body)).statusCode, 200)
  t.equal((await call(to.caller, 'POST', `/${id}/start`)).statusCode, 202)
  await backend.settle()
  const rows = await read.selectFrom('message').selectAll().where('org_id', '=', to.orgId).execute()
  const own = rows.filter(row => row.author_kind === 'person')
  t.ok(own.length > 0)
  for (const row of own) t.match(row, { author_id: to.owner.user.id, author_name: to.owner.user.name })
  const labels = await read.selectFrom('tag').select('label').where('org_id', '=', to.orgId).execute()
  t.same(labels, [{ label: 'Importante' }])

  const away = await connected('Afuera')
  const other = await preview(t, away.caller, archive, { source: 'recado' })
  await call(away.caller, 'POST', `/${other.id}/mapping`, { numbers: [{ from: from.number, to: null }] })
  await call(away.caller, 'POST', `/${other.id}/start`)
  await backend.settle()
  t.match(await getImport(away.caller, other.id), { state: 'done', taken: { messages: 0, contacts: 12 }, refused: 12 })
})

t.test('every kind of message that the product makes can be read again', async t => {
  const neighbour = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550101' })
  const bytes = await archiveOf({ backend, cookie: neighbour.owner.cookie })
  const to = await connected('De la vecina')
  const { id, found, refused } = await preview(t, to.caller, bytes, { source: 'recado' })
  const list = await backend.inject({ method: 'GET', url: `/api/imports/${id}/refused`, headers: to.headers })
  t.equal(refused, 0, list.body)
  t.equal(found?.messages, recordsOf(unzip(bytes), 'messages').length)
  await call(to.caller, 'POST', `/${id}/start`)
  await backend.settle()
  t.match(await getImport(to.caller, id), { state: 'done', taken: { messages: found?.messages } })
  t.same(backend.errors(), [])
})
