/**
 * Every call is made by a member who sees only some conversations. Responses must contain nothing of the others, whose
 * ids must get the same responses as unknown ids. New calls are tested automatically.
 */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { listRoutes } from '#server/cli/route-list.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { EndpointShape, Method } from '#shared/kernel/contract.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { addressOf, exampleOf, fieldsOf, fits, type Input } from '#test/helpers/examples.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { changedTables, rowsAtRest, rowsOfOrg } from '#test/helpers/rows.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
/** All data of this organization belongs to one customer, whose conversation Beto does not see. */
const office = await aNeighbour(backend, { orgName: 'Consultorio Reservado', customer: '5491155550101' })
const { org } = office.owner
const beto = await aMember({ databases, org, role: 'member' })
const shown = '5491155550202'

const ask = async (who: { cookie: string }, method: Method, path: string, body?: object) => {
  const reply = await backend.inject({
    method,
    url: `/api${path}`,
    headers: { cookie: who.cookie },
    ...(body ? { payload: body } : {}),
  })
  return { status: reply.statusCode, body: reply.body, json: () => reply.json() }
}
const say = (from: string, text: string) =>
  ask(office.owner, 'POST', '/sandbox/inbound', { from, text, name: `Cliente ${from}` })

await say(shown, 'Hola a quien me ve')
await backend.settle()
const idOf = async (waId: string) => {
  const row = await databases.read
    .selectFrom('conversation')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(['conversation.id', 'conversation.contact_id'])
    .where('contact.wa_id', '=', waId)
    .executeTakeFirstOrThrow()
  return row
}
const visible = await idOf(shown)
const hidden = await idOf(office.customer)
const vip = newId()
await inTransaction(databases, async trx => {
  await trx.insertInto('tag').values({ id: vip, org_id: org.id, label: 'VIP', created_at: '' }).execute()
  await trx.insertInto('contact_tag').values({ contact_id: visible.contact_id, tag_id: vip, org_id: org.id }).execute()
})
await ask(office.owner, 'POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted: true })
await ask(office.owner, 'POST', '/members/content-permissions', {
  role: 'member',
  phoneTagId: office.ids.tag,
  granted: false,
})
await ask(office.owner, 'PUT', '/members/content-access', { conversations: true })

const idsOf = async (table: 'message' | 'flow_session', column: string, value: string) =>
  (
    await sql<{ id: string }>`select id from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(
      databases.read,
    )
  ).rows.map(({ id }) => id)
/**
 * The columns by which a row belongs to the hidden conversation, its customer, their flow session, or one of its
 * messages.
 */
const ties: Readonly<Record<string, readonly string[]>> = {
  conversation_id: [hidden.id],
  contact_id: [hidden.contact_id],
  message_id: await idsOf('message', 'conversation_id', hidden.id),
  session_id: await idsOf('flow_session', 'contact_id', hidden.contact_id),
}
const owned: Readonly<Record<string, readonly string[]>> = {
  conversation: [hidden.id],
  contact: [hidden.contact_id],
  message: ties.message_id as readonly string[],
}
const isTied = (table: string, row: Record<string, unknown>) =>
  owned[table]?.includes(String(row.id)) || Object.entries(ties).some(([name, ids]) => ids.includes(String(row[name])))
/**
 * Tables of background work and of the simulator. Their rows name anything, but members with a limited scope read none
 * of them.
 */
const workTables = /^(?:job|event|idempotency|webhook_journal|sandbox_.*)$/
const wordsOf = (value: unknown): string[] => {
  if (typeof value !== 'string') return Object.values(value ?? {}).flatMap(wordsOf)
  if (!/^[[{]/.test(value)) return [value]
  try {
    return wordsOf(JSON.parse(value))
  } catch {
    return [value]
  }
}
const officeRows = Object.entries(await rowsOfOrg(databases, org.id))
  .filter(([table]) => !workTables.test(table))
  .flatMap(([table, rows]) => rows.map(row => ({ words: wordsOf(row), isTied: isTied(table, row) })))
const elsewhere = new Set(officeRows.flatMap(one => (one.isTied ? [] : one.words)))
/** Values that only the hidden conversation has, in any table. New tables are searched automatically. */
const secrets = [
  ...new Set([
    ...officeRows
      .flatMap(one => (one.isTied ? one.words : []))
      .filter(word => word.length >= 16 && !/^\d{4}-\d{2}-\d{2}T/.test(word) && !elsewhere.has(word)),
    office.customer,
    office.ids.media,
    'Cliente de Consultorio',
    'Secreto de Consultorio',
  ]),
]
const leaks = (body: string, asked = '') => secrets.filter(secret => body.includes(secret) && !asked.includes(secret))

const calls = (await listRoutes()).flatMap(({ method, url, name, access, endpoint }) =>
  endpoint && access !== 'anyone' && access !== 'person' && name !== 'live.stream'
    ? [{ method: method as Method, url, name, endpoint: endpoint as EndpointShape }]
    : [],
)
const allowed = calls.filter(
  ({ endpoint: { access } }) => access === 'member' || roleCan('member', access as Parameters<typeof roleCan>[1]),
)
const make = (call: (typeof calls)[number], input: Input) =>
  ask(beto, call.method, addressOf(call.url, input).replace(/^\/api/, ''), input.body)

t.test('the owner sees the hidden conversation', async t => {
  t.ok(secrets.length > 10, `${secrets.length} secrets`)
  const list = await ask(office.owner, 'GET', '/whatsapp/conversations')
  t.ok(leaks(list.body).length > 0, 'the owner sees it')
})

t.test('he sees his own conversation in every call, and nothing of the hidden one', async t => {
  const { items } = (await ask(beto, 'GET', '/whatsapp/conversations')).json()
  t.same(
    items.map((row: { phone: string }) => row.phone),
    [shown],
  )
  t.equal((await ask(beto, 'GET', `/whatsapp/chats/${shown}`)).status, 200)
  for (const search of ['Secreto', 'Reservado', '5555', office.customer, 'Respuesta'])
    for (const archived of ['true', 'false']) {
      const found = await ask(beto, 'GET', `/whatsapp/conversations?archived=${archived}&search=${search}`)
      t.same(leaks(found.body, ''), [], search)
    }
  for (const q of ['Secreto', 'Reservado', '5555', office.customer, 'Respuesta']) {
    const found = await ask(beto, 'GET', `/whatsapp/search?q=${q}`)
    t.equal(found.status, 200)
    t.same(leaks(found.body, q), [], q)
    t.equal((await ask(beto, 'GET', `/whatsapp/search?q=${q}&phone=${office.customer}`)).status, 404)
  }
  t.ok((await ask(office.owner, 'GET', '/whatsapp/search?q=Secreto')).json().items.length > 0)
})

t.test('no read contains anything of it', async t => {
  for (const call of allowed.filter(({ method }) => method === 'GET')) {
    const reply = await make(call, exampleOf(call.name, call.endpoint))
    if (call.endpoint.wholeInbox) t.equal(reply.status, 403, call.name)
    t.same(leaks(reply.body), [], call.name)
  }
})

const twinOf = (value: string) =>
  value.replace(/[A-Za-z0-9]{1,4}(?=[^A-Za-z0-9]*$)/, end =>
    [...end].map(char => (/\d/.test(char) ? String((Number(char) + 3) % 10) : /[a-z]/.test(char) ? 'q' : 'Q')).join(''),
  )

t.test('its ids get the same responses as unknown ids, in any field, and nothing of it changes', async t => {
  const before = await rowsAtRest(backend, ['session', 'apikey', 'idempotency', 'event', 'org_counter'])
  const values = [
    office.customer,
    hidden.id,
    hidden.contact_id,
    office.ids.media,
    office.ids.message,
    office.ids.failed,
    office.ids.wamid,
    office.ids.notification,
  ]
  let asked = 0
  // Calls whose later responses contain what an earlier call wrote, such as the title of the ready answer that has a
  // shortcut.
  const keepsWords = [
    'readyAnswers.createAnswer',
    'savedViews.createView',
    'history.addEntry',
    'scheduledMessages.schedule',
    'drafts.saveDraft',
    'contacts.saveContact',
    // Only one export runs at a time.
    'statsExport.begin',
  ]
  for (const call of allowed.filter(({ name }) => !keepsWords.includes(name)))
    for (const part of ['params', 'query', 'body'] as const)
      for (const [field, schema] of fieldsOf(call.endpoint[part])) {
        const base = exampleOf(call.name, call.endpoint)
        // An existing recipient, so that a field with an id of the hidden conversation decides.
        if (base.body && 'numberTel' in base.body) base.body = { ...base.body, numberTel: '5491100000000' }
        const with_ = (value: string): Input => ({
          ...base,
          [part]: { ...base[part], [field]: schema.type === 'array' ? [value] : value },
        })
        for (const value of values) {
          const twin = twinOf(value)
          if (
            schema.enum ||
            !fits(call.endpoint, part, with_(value)[part]) ||
            !fits(call.endpoint, part, with_(twin)[part])
          )
            continue
          asked += 1
          const real = await make(call, with_(value))
          const none = await make(call, with_(twin))
          t.equal(real.status, none.status, `${call.name} ${part}.${field} ${value}`)
          t.same(leaks(real.body, value), [], `${call.name} ${part}.${field}`)
        }
      }
  t.ok(asked > 60, `${asked} asked`)
  const after = await rowsAtRest(backend, ['session', 'apikey', 'idempotency', 'event', 'org_counter'])
  const touched = ['message', 'conversation', 'contact', 'media', 'contact_tag', 'reaction', 'job', 'conversation_mute']
  t.same(
    changedTables(before, after).filter(table => touched.includes(table)),
    [],
  )
})

t.test('he gets no cached response of the owner, and the owner none of his', async t => {
  for (let round = 0; round < 2; round += 1) {
    t.equal((await ask(office.owner, 'GET', '/whatsapp/conversations')).json().items.length, 2)
    t.equal((await ask(beto, 'GET', '/whatsapp/conversations')).json().items.length, 1)
  }
})

t.test('figures count only what he sees', async t => {
  const [all, his] = [await ask(office.owner, 'GET', '/stats/overview'), await ask(beto, 'GET', '/stats/overview')]
  t.equal(all.json().open, 2)
  t.equal(his.json().open, 1)
  const { items } = (await ask(beto, 'GET', '/organizations')).json()
  t.equal(items.find((one: { id: string }) => one.id === org.id).unread, 1)
})

/** Opens a stream, from an event number on. */
const watch = (t: Test, who: typeof beto, since?: number) => {
  let text = ''
  const sink = {
    pending: 0,
    write: (chunk: { body: Buffer }) => {
      text += chunk.body.toString()
    },
    drained: async () => {},
    end: () => {},
    destroy: () => {},
  }
  const { close } = backend.parts.live.subscribe(who.member, sink as never, since)
  t.teardown(close)
  const reaches = async (what: string) => {
    while (!text.includes(what)) await new Promise(resolve => setImmediate(resolve))
    return text
  }
  return { reaches, text: () => text }
}

t.test('neither the stream nor its replay nor the log contains it', async t => {
  const live = watch(t, beto)
  const replayed = watch(t, beto, 0)
  await live.reaches('retry')
  await say(office.customer, 'Otro secreto de Consultorio')
  await say(shown, 'Y otro hola')
  await backend.settle()
  for (const one of [live, replayed]) {
    const text = await one.reaches('Y otro hola')
    t.same(leaks(text), [])
    t.notMatch(text, 'Otro secreto')
  }
  const log = await ask(beto, 'GET', '/whatsapp/events')
  t.match(log.body, 'Y otro hola')
  t.same(leaks(log.body), [])
})

t.test('notifications, their count and pushes are only about what he sees', async t => {
  const list = await ask(beto, 'GET', '/notify')
  t.same(leaks(list.body), [])
  /** A new notification is also pushed to his browsers. */
  const raised = () =>
    databases.read
      .selectFrom('notification')
      .select('conversation_id')
      .where('user_id', '=', beto.user.id)
      .orderBy('id')
      .execute()
  const raisedBefore = await raised()
  const before = (await ask(beto, 'GET', '/notify/summary')).json().unread
  const waiting = '5491155550303'
  await say(waiting, 'Nadie me vio todavía')
  await backend.settle()
  t.equal(
    (await ask(beto, 'GET', '/notify/summary')).json().unread,
    before,
    'nothing about a new contact without a tag',
  )
  t.same(await raised(), raisedBefore)
  // A notification from before he lost sight of the conversation is no longer listed.
  const one = await databases.read
    .selectFrom('notification')
    .selectAll()
    .where('conversation_id', '=', hidden.id)
    .executeTakeFirstOrThrow()
  await databases.write
    .insertInto('notification')
    .values({ ...one, id: newId(), user_id: beto.user.id, viewed_at: null })
    .execute()
  t.equal((await ask(beto, 'GET', '/notify/summary')).json().unread, before)
  t.same(leaks((await ask(beto, 'GET', '/notify')).body), [])
})

t.test('he sees it and its files once it is assigned to him', async t => {
  await databases.write
    .updateTable('conversation')
    .set({ assignee_id: beto.user.id })
    .where('id', '=', hidden.id)
    .execute()
  t.equal((await ask(beto, 'GET', `/whatsapp/chats/${office.customer}`)).status, 200)
  t.equal((await ask(beto, 'GET', `/whatsapp/media/${office.ids.media}`)).status, 200)
  await databases.write.updateTable('conversation').set({ assignee_id: null }).where('id', '=', hidden.id).execute()
  t.equal((await ask(beto, 'GET', `/whatsapp/chats/${office.customer}`)).status, 404)
  t.equal((await ask(beto, 'GET', `/whatsapp/media/${office.ids.media}`)).status, 404)
})

t.test('an API key sees at most what its creator sees', async t => {
  const maker = await aMember({ databases, org, role: 'developer' })
  const made = await ask(maker, 'POST', '/auth/api-key/create', { name: 'Programa' })
  t.equal(made.status, 200)
  const reply = await backend.inject({ url: '/api/whatsapp/conversations', headers: { 'x-api-key': made.json().key } })
  t.same(reply.json().items, [])
})

t.test('a role that loses a tag loses its conversations at once, also in open tabs', async t => {
  const live = watch(t, beto)
  await live.reaches('retry')
  const grant = (granted: boolean) =>
    ask(office.owner, 'POST', '/members/content-permissions', { role: 'member', phoneTagId: vip, granted })
  await grant(false)
  t.match(await live.reaches('"event":"visibility"'), /"event":"visibility"/)
  t.same((await ask(beto, 'GET', '/whatsapp/conversations')).json().items, [])
  await say(shown, 'Ya no me ve')
  await backend.settle()
  await grant(true)
  await say(shown, 'Me ve otra vez')
  await backend.settle()
  t.notMatch((await live.reaches('Me ve otra vez')).split('Me ve otra vez')[0], 'Ya no me ve')
})

t.test('without the limit everybody sees everything', async t => {
  await ask(office.owner, 'PUT', '/members/content-access', { conversations: false })
  t.equal((await ask(beto, 'GET', '/whatsapp/conversations')).json().items.length, 3)
})

const team = (name: 'create-team' | 'add-team-member' | 'remove-team-member' | 'remove-team', body: object) =>
  ask(office.owner, 'POST', `/auth/organization/${name}`, { organizationId: org.id, ...body })
const assign = (who: typeof beto, phone: string, body: object) =>
  ask(who, 'PUT', `/whatsapp/conversations/${phone}/assignee`, body)
const listed = async () =>
  (await ask(beto, 'GET', '/whatsapp/conversations')).json().items.map((row: { phone: string }) => row.phone)

t.test('if conversations are limited to teams, only members of the team see what is assigned to it', async t => {
  // These tags have ids of the hidden conversation as labels, written by a test above.
  await databases.write.deleteFrom('tag').where('label', 'in', secrets).execute()
  await databases.write.deleteFrom('audience_segment').execute()
  const { id: teamId } = (await team('create-team', { name: 'Facturación' })).json()
  t.match((await assign(office.owner, office.customer, { teamId })).json(), {
    team: { id: teamId, name: 'Facturación' },
  })
  t.ok((await listed()).includes(office.customer), 'nothing is limited yet')
  const live = watch(t, beto)
  await live.reaches('retry')
  await ask(office.owner, 'PUT', '/members/content-access', { teams: true })
  await live.reaches('"event":"visibility"')
  t.notOk((await listed()).includes(office.customer))
  t.ok((await listed()).includes(shown), 'everybody sees a conversation without a team')
  t.equal(
    (await assign(beto, office.customer, { userId: beto.user.id })).status,
    404,
    'nobody can assign what they do not see',
  )
  for (const call of allowed.filter(({ method }) => method === 'GET')) {
    const reply = await make(call, exampleOf(call.name, call.endpoint))
    t.same(leaks(reply.body), [], call.name)
  }
  for (const search of ['Secreto', 'Reservado', office.customer])
    for (const path of [`conversations?search=${search}`, `search?q=${search}`])
      t.same(leaks((await ask(beto, 'GET', `/whatsapp/${path}`)).body, search), [], path)
  t.equal((await ask(beto, 'GET', `/whatsapp/chats/${office.customer}`)).status, 404)
  t.equal((await ask(beto, 'GET', `/whatsapp/media/${office.ids.media}`)).status, 404)
  await say(office.customer, 'Secreto del equipo')
  await say(shown, 'Esto es de todos')
  await backend.settle()
  t.notMatch(await live.reaches('Esto es de todos'), 'Secreto del equipo')
  t.same(leaks((await ask(beto, 'GET', '/notify')).body), [])

  t.equal((await team('add-team-member', { teamId, userId: beto.user.id })).status, 200)
  t.ok((await listed()).includes(office.customer), 'as a member of the team he sees it')
  t.equal((await ask(office.owner, 'GET', '/whatsapp/conversations')).json().items.length, 3)
  t.equal((await ask(beto, 'GET', `/whatsapp/media/${office.ids.media}`)).status, 200)
  await say(office.customer, 'Ya soy del equipo')
  await backend.settle()
  await live.reaches('Ya soy del equipo')

  const out = watch(t, beto)
  await out.reaches('retry')
  t.equal((await team('remove-team-member', { teamId, userId: beto.user.id })).status, 200)
  await out.reaches('"event":"visibility"')
  t.notOk((await listed()).includes(office.customer), 'after leaving the team he does not')
  await assign(office.owner, office.customer, { userId: beto.user.id })
  t.ok((await listed()).includes(office.customer), 'assigned to him he does, in any team')
  const taken = watch(t, beto)
  await taken.reaches('retry')
  await assign(office.owner, office.customer, { userId: null })
  await taken.reaches('"event":"visibility"')
  t.notOk((await listed()).includes(office.customer))

  t.equal((await team('remove-team', { teamId })).status, 200)
  await backend.parts.jobs.idle()
  t.ok((await listed()).includes(office.customer), 'a deleted team hides nothing')
  t.notOk((await ask(office.owner, 'GET', `/whatsapp/conversations/${office.customer}`)).json().team)
  await ask(office.owner, 'PUT', '/members/content-access', { teams: false })
})
