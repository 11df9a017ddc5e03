import t from 'tap'
import { ageSimulated, rowsPerSlice } from '#server/messaging/conversations/changes/simulated-time.ts'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, anIdentity, aStatus, itemScope, lucia } from '#test/helpers/items.ts'

const customer = lucia.waId as string
const sales = { phone: '5491150000001', phoneNumberId: itemScope.phoneNumberId }
const support = { phone: '5491150000002', phoneNumberId: '206540352242922' }
const toSupport = { phoneNumberId: support.phoneNumberId }
const minute = (n: number) => `2026-11-20T12:${String(n).padStart(2, '0')}:00.000Z`

/** An organization with two real numbers; Lucía has written to both, to support last. */
const written = async () => {
  const stage = await anInbox()
  const ids = {
    sales: await stage.connect(sales.phone, { kind: 'cloud' }),
    support: await stage.connect(support.phone, { kind: 'cloud', phoneNumberId: support.phoneNumberId }),
  }
  const first = aMessage({ at: minute(50), words: '¿Precio?' })
  const second = aMessage({ ...toSupport, at: minute(55), words: 'No anda' })
  await stage.apply(first)
  await stage.apply(second)
  stage.notices.length = 0
  const { member } = stage.ana
  const list = async (number?: string) => (await stage.inbox.listConversations(member, { query: { number } })).items
  const textsOf = async (address: string) =>
    withoutActivity((await stage.inbox.listMessages(member, { params: { phone: address }, query: {} })).items).map(
      ({ text }) => text,
    )
  const [onSupport, onSales] = await list()
  if (!onSupport || !onSales) throw new Error('Two conversations were expected')
  const send = (body: Partial<SendMessage>) =>
    stage.inbox.sendMessage(member, { body: { message: 'Hola', numberTel: customer, ...body } })
  return { stage, member, ids, list, textsOf, onSales, onSupport, send, first, second }
}

const letGo = (stage: AnInbox, id: string) =>
  stage.databases.write
    .updateTable('wa_connection')
    .set({ disconnected_at: minute(59) })
    .where('id', '=', id)
    .execute()

t.test('a customer who writes to two numbers has a conversation on each, which names its number', async t => {
  const { list, onSales, onSupport, textsOf } = await written()
  t.match(
    [onSupport, onSales],
    [
      { phone: customer, number: support.phone, unread: 1, lastMessage: { text: 'No anda' } },
      { phone: customer, number: sales.phone, unread: 1, lastMessage: { text: '¿Precio?' } },
    ],
  )
  t.same(await textsOf(onSales.id), ['¿Precio?'])
  t.same(await textsOf(onSupport.id), ['No anda'])
  t.same(await textsOf(customer), ['No anda'], 'the number alone means the one of the last word')
  t.same(
    (await list(sales.phone)).map(({ id }) => id),
    [onSales.id],
  )
  t.same(
    (await list('+54 9 11 5000-0002')).map(({ id }) => id),
    [onSupport.id],
    'in any spelling',
  )
})

t.test('with a single number no conversation names it', async t => {
  const stage = await anInbox()
  await stage.connect(sales.phone, { kind: 'cloud' })
  const drafts = await stage.apply(aMessage())
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.notOk(items.some(item => 'number' in item))
  t.notOk(drafts.some(({ data }) => 'address' in (data as object)))
  t.equal(stage.notices[0]?.redirect, `/${customer}`)
})

t.test('a filter by an unknown number is refused by name', async t => {
  const { stage, list } = await written()
  const other = await anInbox(stage)
  await other.connect('5491150000009', { kind: 'cloud' })
  for (const number of ['5491150000009', '1', customer])
    await t.rejects(async () => list(number), { code: 'APP_VALIDATION', fields: ['query.number'] })
})

t.test('a message is sent from the number it names, else from the one the customer wrote to last', async t => {
  const { stage, ids, send, onSales, onSupport } = await written()
  await send({})
  await send({ phone: '+54 9 11 5000-0001' })
  await send({ numberTel: onSales.id })
  t.match(await stage.queued(), [
    { kind: 'message', conversationId: onSupport.id, connectionId: ids.support },
    { kind: 'message', conversationId: onSales.id, connectionId: ids.sales },
    { kind: 'message', conversationId: onSales.id, connectionId: ids.sales },
  ])
})

t.test('an unknown number, or one not of the conversation, is refused by name and changes nothing', async t => {
  const { stage, send, onSales } = await written()
  const refused = { code: 'APP_VALIDATION', fields: ['body.phone'] }
  await t.rejects(async () => send({ phone: '5491150000009' }), refused)
  await t.rejects(async () => send({ numberTel: onSales.id, phone: support.phone }), refused)
  t.same(await stage.queued(), [])
})

t.test('a number the customer never wrote to has no open window', async t => {
  const { stage, send } = await written()
  await stage.connect('5491150000003', { kind: 'cloud', phoneNumberId: '306540352242922' })
  await t.rejects(async () => send({ phone: '5491150000003' }), { code: 'INBOX_WINDOW_CLOSED' })
})

t.test('a repeated key finds its message, whichever number was written to meanwhile', async t => {
  const { stage, send } = await written()
  const sent = await send({ clientKey: 'k1' })
  await stage.apply(aMessage({ at: minute(58) }))
  t.equal((await send({ clientKey: 'k1' })).id, sent.id)
  t.equal((await stage.queued()).length, 1)
})

t.test('reading, archiving and typing affect the opened conversation only', async t => {
  const { stage, ids, member, list, onSales, onSupport } = await written()
  await stage.inbox.markRead(member, { params: { phone: onSales.id } })
  await stage.inbox.showTyping(member, { params: { phone: onSales.id } })
  t.match(await stage.queued(), [
    { kind: 'read', connectionId: ids.sales },
    { kind: 'typing', connectionId: ids.sales },
  ])
  t.match(await list(), [
    { id: onSupport.id, unread: 1 },
    { id: onSales.id, unread: 0 },
  ])
  await stage.inbox.archiveChat(member, { body: { phoneNumber: onSales.id } })
  t.same(
    (await list()).map(({ id }) => id),
    [onSupport.id],
  )
})

t.test('events and notifications link to their own conversation', async t => {
  const { stage, send, onSales, onSupport } = await written()
  const drafts = await stage.apply(aMessage({ at: minute(58) }))
  const about = drafts.filter(({ type }) => type === 'message')
  t.match(about, [{ number: customer, data: { address: onSales.id, conversation: { id: onSales.id } } }])
  const sent = await send({ phone: support.phone })
  const parts = { clock: stage.clock }
  const moved = await stage.write(async write => {
    await applyDelivery(write, { messageId: sent.id }, { kind: 'accepted', wamid: 'wamid.out', at: minute(58) }, parts)
    await applyDelivery(
      write,
      { wamid: 'wamid.out' },
      { kind: 'status', wamid: 'wamid.out', status: 'read', at: minute(59), failure: undefined, callback: undefined },
      parts,
    )
  })
  t.ok(moved.length)
  for (const { data } of moved) t.match(data, { number: customer, address: onSupport.id })
  stage.notices.length = 0
  await stage.apply(aMessage({ ...toSupport, at: minute(59) }))
  t.match(stage.notices, [{ redirect: `/${onSupport.id}` }])
})

t.test('a waiting customer’s notification links to the conversation in which they wait', async t => {
  const { stage } = await written()
  const drafts = await stage.apply(aMessage({ sender: { waId: '5491155559999' }, ...toSupport, at: minute(59) }))
  const call = drafts.find(({ type }) => type === 'human')
  const row = drafts.find(({ type }) => type === 'message')?.data as { conversation: { id: string } }
  t.match(call?.data, { number: '5491155559999', address: row.conversation.id })
  t.match(stage.notices, [{ redirect: `/${row.conversation.id}` }])
})

t.test('a status and a message from the phone stay with the number they came through', async t => {
  const { stage, textsOf, onSales, onSupport, send } = await written()
  await stage.apply(anEcho({ ...toSupport, recipient: lucia, at: minute(57), words: 'Desde el teléfono' }))
  t.same(await textsOf(onSupport.id), ['No anda', 'Desde el teléfono'])
  t.same(await textsOf(onSales.id), ['¿Precio?'])
  const sent = await send({ phone: sales.phone })
  await stage.write(write =>
    applyDelivery(
      write,
      { messageId: sent.id },
      { kind: 'accepted', wamid: 'w', at: minute(58) },
      { clock: stage.clock },
    ),
  )
  await stage.apply(aStatus({ wamid: 'w', status: 'read', at: minute(59) }))
  t.match(
    (await stage.inbox.listMessages(stage.ana.member, { params: { phone: onSales.id }, query: {} })).items.at(-1),
    {
      id: sent.id,
      status: 'read',
    },
  )
})

t.test('a removed number’s conversations stay readable, and nothing is sent from it', async t => {
  const { stage, ids, list, textsOf, onSales, onSupport, send, member } = await written()
  const failed = await send({ phone: support.phone })
  await stage.write(write =>
    applyDelivery(
      write,
      { messageId: failed.id },
      { kind: 'failed', code: '131026', at: minute(59) },
      {
        clock: stage.clock,
      },
    ),
  )
  await letGo(stage, ids.support)
  const before = await stage.queued()
  t.same(
    (await list()).map(({ id }) => id),
    [onSupport.id, onSales.id],
  )
  t.same(await textsOf(onSupport.id), ['No anda', 'Hola'])
  await t.rejects(async () => send({ numberTel: onSupport.id }), { code: 'INBOX_NOT_CONNECTED' })
  await t.rejects(async () => send({ phone: support.phone }), { code: 'APP_VALIDATION', fields: ['body.phone'] })
  t.same(await stage.queued(), before)
  await send({})
  t.match(
    (await stage.queued()).slice(before.length),
    [{ connectionId: ids.sales }],
    'without a name it goes by one that is connected',
  )
  await stage.inbox.archiveChat(member, { body: { phoneNumber: onSupport.id } })
  t.same(
    (await list()).map(({ id }) => id),
    [onSales.id],
    'and it can still be put aside',
  )
})

t.test('two identities of one customer become one on each number, and threads are not mixed', async t => {
  const { stage, list, textsOf } = await written()
  const other = { waId: '5491155550777' }
  await stage.apply(aMessage({ sender: other, at: minute(56), words: 'Soy yo, de otro número' }))
  t.equal((await list()).length, 3)
  await stage.apply(anIdentity({ previous: other, current: lucia, at: minute(57) }))
  const rows = await list()
  t.same(rows.map(({ number }) => number).sort(), [sales.phone, support.phone])
  const onSales = rows.find(({ number }) => number === sales.phone)
  t.match(await textsOf(onSales?.id ?? ''), ['¿Precio?', 'Soy yo, de otro número'])
  t.same((await textsOf(rows.find(({ number }) => number === support.phone)?.id ?? '')).slice(0, 1), ['No anda'])
})

t.test('a conversation id opens nothing in another organization', async t => {
  const { stage, onSales } = await written()
  const other = await anInbox(stage)
  await other.connect('5491150000009', { kind: 'cloud' })
  const params = { phone: onSales.id }
  const missing = { code: 'INBOX_CHAT_NOT_FOUND', status: 404 }
  await t.rejects(async () => other.inbox.getConversation(other.ana.member, { params }), missing)
  await t.rejects(async () => other.inbox.listMessages(other.ana.member, { params, query: {} }), missing)
  await t.rejects(async () => other.inbox.markRead(other.ana.member, { params }), missing)
  await t.rejects(
    async () => other.inbox.sendMessage(other.ana.member, { body: { message: 'x', numberTel: onSales.id } }),
    { code: 'INBOX_WINDOW_CLOSED' },
  )
})

t.test('the simulator’s conversations disappear and return with it, and never mix with real ones', async t => {
  const stage = await anInbox()
  const { member } = stage.ana
  const simulated = await stage.connect('5491150000007')
  await stage.apply(aMessage({ at: minute(50), words: 'Jugando' }))
  await letGo(stage, simulated)
  const real = await stage.connect(sales.phone, { kind: 'cloud', phoneNumberId: support.phoneNumberId })
  const list = async (search?: string) => (await stage.inbox.listConversations(member, { query: { search } })).items
  t.same(await list(), [])
  await stage.apply(aMessage({ ...toSupport, at: minute(51), words: 'En serio' }))
  t.match(await list(), [{ lastMessage: { text: 'En serio' } }])
  t.equal((await list()).length, 1)
  t.same(await list('Jugando'), [], 'nor are they found')
  const thread = await stage.inbox.listMessages(member, { params: { phone: customer }, query: {} })
  t.same(
    thread.items.map(({ text }) => text),
    ['En serio'],
  )
  await stage.inbox.sendMessage(member, { body: { message: 'Hola', numberTel: customer } })
  t.not((await stage.queued()).at(-1)?.connectionId, simulated)
  await letGo(stage, real)
  await stage.connect('5491150000007')
  t.match(await list(), [{ lastMessage: { text: 'Jugando' } }])
  t.equal((await list()).length, 1)
})

t.test('advancing time affects simulated conversations only, in slices, and real ones stay unchanged', async t => {
  const stage = await anInbox()
  const simulated = await stage.connect('5491150000007')
  const real = await stage.connect(sales.phone, { kind: 'cloud', phoneNumberId: support.phoneNumberId })
  const players = rowsPerSlice + 3
  await stage.apply(
    ...Array.from({ length: players }, (_, i) => aMessage({ sender: { waId: `54911560${10_000 + i}` } })),
  )
  await stage.apply(aMessage({ words: 'Jugando' }), aMessage({ ...toSupport, words: 'En serio' }))
  const all = () =>
    stage.databases.read
      .selectFrom('message')
      .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
      .selectAll('message')
      .select(['conversation.connection_id', 'conversation.window_closes_at', 'conversation.last_activity_at'])
      .orderBy('message.seq')
      .execute()
  const before = await all()
  const contacts = () => stage.databases.read.selectFrom('contact').selectAll().orderBy('id').execute()
  const contactsBefore = await contacts()
  let slices = 0
  const dayMs = 86_400_000
  const drafts: unknown[] = []
  await ageSimulated(
    {
      run: async work => {
        slices += 1
        let result: unknown
        drafts.push(
          ...(await stage.write(async write => {
            result = await work(write)
          })),
        )
        return result as never
      },
    },
    simulated,
    dayMs,
  )
  const after = await all()
  const older = (at: string | null) => at && new Date(Date.parse(at) - dayMs).toISOString()
  for (const [i, row] of after.entries()) {
    const was = before[i] as (typeof before)[number]
    if (row.connection_id === real) t.same(row, was, 'a real one is the same to the letter')
    else if (row.at !== older(was.at) || row.window_closes_at !== older(was.window_closes_at)) t.same(row, was)
  }
  t.equal(after.filter(row => row.connection_id === simulated).length, players + 1)
  t.same(await contacts(), contactsBefore, 'contacts may be of both')
  t.ok(slices > players, 'no transaction takes them all')
  t.ok(drafts.length <= 100)
})
