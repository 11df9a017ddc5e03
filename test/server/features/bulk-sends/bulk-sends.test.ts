/** A bulk send through the public API, with the simulator as Meta and a manual clock. */
import { sql } from 'kysely'
import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkSend, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { aMember } from '#test/helpers/actors.ts'
import { atEachNew } from '#test/helpers/at-each-new.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a plan lists recipients and omissions, and changes nothing', async t => {
  const { ask, template } = await stage(t)
  const id = await template('Hola {{1}}, tu pedido está listo para retirar.')
  const { status, json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
    template: id,
    audience: {
      csv: { text: 'Nombre;Teléfono\nAna Paz;11 5555-1001\nBeto;+54 9 11 5555 1001\n;11 5555-1002\nCarla;hola' },
      numbers: '11 5555-1003\n',
    },
    values: { body: { '1': { from: 'column', text: 'Nombre' } } },
  })
  t.equal(status, 200, JSON.stringify(json))
  t.equal(json.planned, 1)
  t.same(json.columns, ['Nombre', 'Teléfono'])
  t.equal(json.previews[0]?.text, 'Hola Ana Paz, tu pedido está listo para retirar.')
  t.same(Object.fromEntries(json.omitted.map(({ reason, count }) => [reason, count])), {
    valueMissing: 2,
    duplicate: 1,
    invalidNumber: 1,
  })
  t.same((await ask<{ items: unknown[] }>('GET', '/whatsapp/bulk-sends')).json.items, [])
})

t.test('a report says what stands in place of the variables: one text for all, otherwise the example', async t => {
  const { create, report, template, backend } = await stage(t)
  const id = await template('Hola {{1}}, te esperamos en {{2}}, como siempre.')
  const send = await create({
    template: id,
    audience: { numbers: phones(1).join() },
    values: { body: { '1': { from: 'name', fallback: 'vos' }, '2': { from: 'fixed', text: 'Rivadavia 100' } } },
  })
  await backend.settle()
  t.match(await report(send), {
    text: 'Hola {{1}}, te esperamos en {{2}}, como siempre.',
    textExample: { body_text: [['Ana', '4711']] },
    textValues: { 2: 'Rivadavia 100' },
    cards: [],
  })
  const { textValues } = await report(send)
  t.same(Object.keys(textValues), ['2'])
})

t.test('a send starts by itself if it has as many recipients as its creator saw, otherwise it waits', async t => {
  const { create, report, backend, taken } = await stage(t)
  const audience = { numbers: phones(3).join('\n') }
  const unlike = await create({ audience, startIfPlanned: 2 })
  t.equal(unlike.state, 'preparing')
  await backend.settle()
  t.equal((await report(unlike)).state, 'ready')
  const alike = await create({ audience, startIfPlanned: 3 })
  await backend.settle()
  t.equal((await report(alike)).state, 'completed')
  t.equal((await taken()).length, 3)
})

t.test('each recipient gets one message, at the allowed rate, and the outcome is reported', async t => {
  const { create, report, recipients, backend, later, taken, ask } = await stage(t)
  const send = await create({ audience: { numbers: `${phones(45).join('\n')}\nnadie` }, startIfPlanned: 45 })
  await backend.settle()
  t.equal((await taken()).length, 20, 'a second has twenty')
  await later(500)
  t.equal((await taken()).length, 20)
  await later(600)
  t.equal((await taken()).length, 40)
  for (let i = 0; i < 6; i += 1) await later(20_000)
  const one = phones(1)[0] as string
  await ask('POST', '/sandbox/inbound', { from: one, type: 'text', text: 'Gracias' })
  await backend.settle()
  const { state, counts, groups } = await report(send)
  t.equal(state, 'completed')
  t.equal(counts.omitted, 1)
  t.equal(counts.replied, 1)
  t.equal(counts.planned + counts.queued + counts.failed, 0)
  t.equal(counts.sent + counts.delivered + counts.read + counts.replied, 45)
  t.same(groups, [
    { state: 'omitted', reason: 'invalidNumber', message: 'Not a valid phone number', mayRetry: false, count: 1 },
  ])
  t.same(
    (await recipients(send, '?state=replied')).map(({ given }) => given),
    [one],
  )
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
  t.equal((await taken()).length, 45)
  t.same(backend.errors(), [])
})

t.test(
  'a bulk send moves no conversation and hides no unanswered one; a conversation without other messages is not listed',
  async t => {
    const { create, backend, later, ask } = await stage(t)
    const [known, stranger] = phones(2) as [string, string]
    await ask('POST', '/sandbox/inbound', { from: known, type: 'text', text: '¿Tienen turno?' })
    await backend.settle()
    await later(60_000)
    await ask('POST', '/sandbox/inbound', { from: '5491155559999', type: 'text', text: 'Yo después' })
    await backend.settle()
    await later(60_000)
    const list = async (query = '') =>
      (await ask<{ items: Conversation[] }>('GET', `/whatsapp/conversations${query}`)).json.items
    const order = async (query = '') => (await list(query)).map(({ phone }) => phone)
    const before = await list()
    await create({ audience: { numbers: `${stranger}\n${known}` }, startIfPlanned: 2 })
    for (let i = 0; i < 3; i += 1) await later(20_000)

    t.same(await list(), before, 'preview, time, order and unread stay')
    t.equal((await list())[1]?.lastMessage?.text, '¿Tienen turno?')
    for (const query of ['?unread=true', '?failed=true', '?assignee=none'])
      t.notOk((await order(query)).includes(stranger), query)
    const [found] = await list(`?search=${stranger}`)
    t.equal(found?.phone, stranger, 'a search finds it')
    t.equal(found?.bulkOnly, true)
    t.match(found?.lastMessage, { type: 'template', direction: 'out' })
    const contacts = await ask<{ items: { lastActivityAt: string; conversation: Conversation }[] }>(
      'GET',
      '/whatsapp/contacts',
    )
    const contact = contacts.json.items.find(({ conversation }) => conversation.phone === stranger)
    t.equal(contact?.lastActivityAt, found?.lastMessage?.at, 'contacts have it, with the day of the send')

    await ask('POST', '/sandbox/inbound', { from: stranger, type: 'text', text: '¿Quién es?' })
    await backend.settle()
    t.same(await order(), [stranger, '5491155559999', known])
    const [begun] = await list()
    t.notOk(begun?.bulkOnly)
    t.equal(begun?.lastMessage?.text, '¿Quién es?')
  },
)

t.test('open pages get at most one event per second for a send, and none for its messages', async t => {
  const { create, backend, later, owner } = await stage(t)
  const last = async () =>
    Number(
      (
        await backend.databases.read
          .selectFrom('event')
          .select(eb => eb.fn.max('seq').as('seq'))
          .executeTakeFirst()
      )?.seq ?? 0,
    )
  const before = await last()
  await create({ audience: { numbers: phones(15).join(',') }, startIfPlanned: 15 })
  await backend.settle()
  await later(900)
  const heard = await backend.databases.read
    .selectFrom('event')
    .select(['type'])
    .where('org_id', '=', owner.org.id)
    .where('seq', '>', before)
    .execute()
  const types = heard.map(({ type }) => type)
  const shown = types.filter(type => type !== 'notify')
  t.same([...new Set(shown)], ['bulkSend'])
  // The events are: created, running, the counts after the first second, and the end.
  t.ok(shown.length <= 4, types.join())
})

t.test('a paused send queues nothing until it is resumed; a cancelled one never again', async t => {
  const { create, report, backend, later, taken, ask } = await stage(t)
  const send = await create({ audience: { numbers: phones(50).join('\n') }, startIfPlanned: 50 })
  await backend.settle()
  t.equal((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/pause`)).json.state, 'paused')
  t.equal((await ask('POST', `/whatsapp/bulk-sends/${send.id}/pause`)).status, 200, 'twice changes nothing')
  for (let i = 0; i < 5; i += 1) await later(1_100)
  t.equal((await taken()).length, 20)
  t.equal((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/resume`)).json.state, 'running')
  await backend.settle()
  t.equal((await taken()).length, 40)
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/cancel`)
  for (let i = 0; i < 5; i += 1) await later(1_100)
  t.equal((await taken()).length, 40)
  t.equal((await report(send)).state, 'cancelled')
  t.equal((await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)).status, 409)
})

t.test('a template that Meta pauses stops the send, which continues when it is resumed', async t => {
  const { create, report, backend, later, taken, ask, id } = await stage(t)
  const send = await create({ audience: { numbers: phones(50).join('\n') }, startIfPlanned: 50 })
  await backend.settle()
  await ask('POST', `/sandbox/template/${id}`, { status: 'PAUSED' })
  await backend.settle()
  await later(1_100)
  const stopped = await report(send)
  t.equal(stopped.state, 'blocked')
  t.equal(stopped.reason, 'templatePaused')
  t.equal((await taken()).length, 20)
  await ask('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
  await backend.settle()
  await ask('POST', `/whatsapp/bulk-sends/${send.id}/resume`)
  for (let i = 0; i < 4; i += 1) await later(1_100)
  t.equal((await taken()).length, 50)
})

t.test('a failure that later messages would share stops the send; a failure of one customer does not', async t => {
  const { create, report, backend, later, ask } = await stage(t)
  await ask('POST', '/sandbox/fail', { code: '131026' })
  const lone = await create({ audience: { numbers: phones(30).join('\n') }, startIfPlanned: 30 })
  for (let i = 0; i < 4; i += 1) await later(1_100)
  const alone = await report(lone)
  t.equal(alone.counts.failed + alone.counts.planned, 1)
  await ask('POST', '/sandbox/fail', { code: '132015' })
  const shared = await create({ audience: { numbers: phones(50, 100).join('\n') }, startIfPlanned: 50 })
  for (let i = 0; i < 3; i += 1) await later(1_100)
  const stopped = await report(shared)
  t.equal(stopped.state, 'blocked')
  t.equal(stopped.reason, 'templatePaused')
  t.ok(stopped.counts.planned > 0)
  t.same(backend.errors(), [])
})

t.test('temporary failures are sent once more; possibly delivered and permanent ones are not', async t => {
  const { create, report, recipients, later, taken, ask, backend } = await stage(t)
  const fail = (code: string) => ask('POST', '/sandbox/fail', { code })
  const people = phones(3)
  await fail('131042')
  await fail('131026')
  const send = await create({ audience: { numbers: people.join('\n') }, startIfPlanned: 3 })
  for (let i = 0; i < 4; i += 1) await later(1_100)
  const before = await report(send)
  t.equal(before.state, 'completed')
  t.same(
    new Map(before.groups.map(({ reason, mayRetry }) => [reason, mayRetry])),
    new Map([
      ['131042', true],
      ['131026', false],
    ]),
  )
  const again = await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/retry`)
  t.match(again.json, { state: 'running', endedAt: null })
  t.equal((await ask('POST', `/whatsapp/bulk-sends/${send.id}/retry`)).status, 200, 'twice changes nothing')
  for (let i = 0; i < 4; i += 1) await later(1_100)
  const { state, counts } = await report(send)
  t.equal(state, 'completed')
  t.same([counts.failed, counts.planned + counts.queued], [1, 0])
  t.ok((await taken()).every(({ count }) => Number(count) === 1))
  t.equal((await taken()).length, 3, 'each was taken once, one of them never arrived')
  const chat = (await recipients(send)).find(({ state }) => state !== 'failed')?.chat
  const thread = (await ask<{ items: unknown[] }>('GET', `/whatsapp/chats/${chat}`)).json.items
  t.equal(thread.length, 1, 'in its place in the chat')
  t.equal(
    (await ask<{ code: string }>('POST', `/whatsapp/bulk-sends/${send.id}/retry`)).json.code,
    'BULK_SENDS_NOTHING_TO_RETRY',
  )
  const { csv, next } = (await ask<{ csv: string; next: null }>('GET', `/whatsapp/bulk-sends/${send.id}/report`)).json
  t.equal(next, null)
  t.equal(csv.trim().split('\r\n').length, 4)
  t.same(backend.errors(), [])
})

t.test(
  'a role sends only to contacts with its tags, and sees only its own sends; without the tag the send stops',
  async t => {
    const { backend, owner, ask, askAs, later, create, id } = await stage(t)
    const [tagged, other] = phones(2) as [string, string]
    for (const from of [tagged, other]) await ask('POST', '/sandbox/inbound', { from, type: 'text', text: 'Hola' })
    await backend.settle()
    const tag = (await ask<{ id: string }>('POST', '/whatsapp/tags', { label: 'Clientes' })).json.id
    const contacts = await backend.databases.read
      .selectFrom('contact')
      .select(['id', 'wa_id'])
      .where('org_id', '=', owner.org.id)
      .execute()
    await backend.databases.write
      .insertInto('contact_tag')
      .values({
        contact_id: contacts.find(contact => contact.wa_id === tagged)?.id as string,
        tag_id: tag,
        org_id: owner.org.id,
      })
      .execute()
    const seller = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
    const askSeller = askAs(seller.cookie)
    const request = { template: id, audience: { numbers: `${tagged}\n${other}\n5491155557777` } }
    const grant = (granted: boolean) =>
      ask('POST', '/members/content-permissions', { role: 'member', phoneTagId: tag, granted })
    const plan = async () => (await askSeller<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', request)).json
    t.equal((await plan()).planned, 0)
    await grant(true)
    t.equal((await plan()).planned, 1)
    const byTag = { ...request, audience: { tags: { ids: [tag], match: 'any' } } }
    t.equal((await askSeller<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', byTag)).json.planned, 1)
    const of = await create({ audience: request.audience })
    t.equal((await askSeller('GET', `/whatsapp/bulk-sends/${of.id}`)).status, 404)
    const own = (await askSeller<BulkSend>('POST', '/whatsapp/bulk-sends', request)).json
    await backend.settle()
    await grant(false)
    await askSeller('POST', `/whatsapp/bulk-sends/${own.id}/start`)
    await later(1_100)
    const { json } = await askSeller<BulkSendReport>('GET', `/whatsapp/bulk-sends/${own.id}`)
    t.equal(json.state, 'blocked')
    t.equal(json.reason, 'noPermission')
    const all = (await ask<{ items: unknown[] }>('GET', '/whatsapp/bulk-sends')).json.items
    t.equal(all.length, 2)
  },
)

t.test('an invalid plan is refused by its field', async t => {
  const { ask, id } = await stage(t)
  const fields = async (audience: object) => {
    const { status, json } = await ask<{ details?: { field: string }[] }>('POST', '/whatsapp/bulk-sends', {
      template: id,
      audience,
    })
    return [status, json.details?.[0]?.field]
  }
  t.same(await fields({ csv: { text: 'a,b\n1,2' } }), [400, 'body.audience.csv.phoneColumn'])
  t.same(await fields({ csv: { text: '' } }), [400, 'body.audience.csv.text'])
  t.same(await fields({ tags: { ids: ['x'], match: 'any' } }), [400, 'body.audience.tags.ids'])
})

t.test('a plan left half written is started again, and recipients already queued are not queued again', async t => {
  const { create, report, recipients, backend, later, taken } = await stage(t)
  const { write } = backend.databases
  // The first planner got this far before it died.
  await atEachNew(
    write,
    'bulk_send',
    sql`insert into bulk_recipient (id, org_id, send_id, place, given, state)
      values (${sql.lit(newId())}, new.org_id, new.id, 0, '5491155559999', 'planned')`,
  )
  const send = await create({ audience: { numbers: phones(25).join('\n') }, startIfPlanned: 25 })
  await backend.settle()
  // Runs the job a second time, as if its completion had never been written.
  const job = await write
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', 'bulkSends.handOver')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('job')
    .values({ ...job, seq: undefined as never, unique_key: 'again', state: 'waiting', due_at: job.added_at })
    .execute()
  for (let i = 0; i < 4; i += 1) await later(1_100)
  const { state, counts } = await report(send)
  t.equal(state, 'completed')
  t.equal(counts.planned + counts.queued + counts.failed + counts.omitted, 0)
  t.equal((await recipients(send)).length, 25)
  t.same(new Set((await taken()).map(({ count }) => Number(count))), new Set([1]))
  t.equal((await taken()).length, 25)
})
