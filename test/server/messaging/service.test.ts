import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { ageSimulated } from '#server/messaging/conversations/changes/simulated-time.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember } from '#test/helpers/actors.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import { aMessage, itemScope, lucia } from '#test/helpers/items.ts'
import { itemsOf, textWebhook } from '#test/helpers/webhooks.ts'

const phone = lucia.waId as string
const params = { phone }
const dayMs = 24 * 60 * 60 * 1000
const types = (stage: AnInbox) => stage.events.map(event => event.type)

/** A connected inbox to which Lucía has written a minute ago. */
const written = async () => {
  const stage = await anInbox()
  await stage.connect()
  const message = aMessage()
  await stage.apply(message)
  stage.events.length = 0
  const send = (body: Record<string, unknown> = {}) =>
    stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Sí, a las 10', numberTel: phone, ...body } })
  /** As the outbox does, with the end of the message's job. */
  const fail = async (id: string, code: string) => {
    const at = stage.clock.now().toISOString()
    await stage.write(async write => {
      const { db } = write
      await db.updateTable('job').set({ state: 'failed', finished_at: at }).where('unique_key', '=', id).execute()
      await applyDelivery(write, { messageId: id }, { kind: 'failed', code, at }, stage)
    })
  }
  const messages = async () =>
    withoutActivity((await stage.inbox.listMessages(stage.ana.member, { params, query: {} })).items)
  const row = () => stage.inbox.getConversation(stage.ana.member, { params })
  return { stage, member: stage.ana.member, message, send, fail, messages, row }
}

t.test('a text is stored, queued and published', async t => {
  const { stage, send, messages, row } = await written()
  const sent = await send()
  t.match(sent, {
    direction: 'out',
    type: 'text',
    text: 'Sí, a las 10',
    status: 'queued',
    wamid: null,
    at: '2026-11-20T13:00:00.000Z',
    author: { kind: 'person', name: 'Ana Prueba' },
  })
  t.strictSame((await messages()).at(-1), sent)
  t.match(await stage.queued(), [{ kind: 'message', ref: sent.id }])
  t.match(stage.events[0], {
    type: 'message',
    number: phone,
    data: { number: phone, message: sent, conversation: await row(), writerId: stage.ana.user.id },
  })
  t.match(await row(), { lastMessage: { text: 'Sí, a las 10', direction: 'out', status: 'queued' } })
})

t.test('the first answer of a member takes the conversation and clears its notification, once', async t => {
  const { stage, send, row } = await written()
  t.equal((await row()).control, 'needsHuman')
  await send()
  await send({ message: 'Y otra cosa' })
  t.strictSame(types(stage), ['message', 'human.claimed', 'internal', 'message'])
  t.match(stage.events[1]?.data, { number: phone, by: 'Ana Prueba' })
  t.equal((await row()).control, 'human')
})

t.test('a program’s message does not end the customer’s wait', async t => {
  const { stage, send, row } = await written()
  t.match(await send({ isHuman: false }), { author: { kind: 'api' } })
  t.strictSame(types(stage), ['message'])
  t.equal((await row()).control, 'needsHuman')
})

t.test('the same key gives the same message, concurrently or later', async t => {
  const { stage, send, messages } = await written()
  const clientKey = newId()
  const all = await Promise.all(Array.from({ length: 5 }, () => send({ clientKey })))
  t.equal(new Set(all.map(sent => sent.id)).size, 1)
  t.equal(all[0]?.clientKey, clientKey)
  t.equal((await messages()).length, 2)
  t.equal((await stage.queued()).length, 1)
  await stage.apply(aMessage({ sender: { waId: '5491166667777' } }))
  await t.rejects(async () => send({ clientKey, numberTel: '5491166667777' }), { code: 'APP_IDEMPOTENCY_MISMATCH' })
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, name: 'Beto' })
  const his = await stage.inbox.sendMessage(beto.member, { body: { message: 'x', numberTel: phone, clientKey } })
  t.not(his.id, all[0]?.id, "another person's key is another key")
})

t.test('a reply names the quoted message by our id or by its wamid', async t => {
  const { send, message, messages } = await written()
  const [first] = await messages()
  for (const replyToMessageId of [first?.id, message.wamid])
    t.match(await send({ replyToMessageId }), {
      replyTo: { wamid: message.wamid, id: first?.id, text: 'Hola, ¿tienen turno?' },
    })
  t.equal((await send({ replyToMessageId: null })).replyTo, undefined)
})

t.test('a reply to a message of another conversation is refused by its field', async t => {
  const { stage, send } = await written()
  const other = aMessage({ sender: { waId: '5491166667777' } })
  await stage.apply(other)
  const queued = await send()
  for (const replyToMessageId of [other.wamid, newId(), queued.id])
    await t.rejects(async () => send({ replyToMessageId }), {
      code: 'APP_VALIDATION',
      fields: ['body.replyToMessageId'],
    })
})

t.test('a kind that cannot be sent is refused with its own message', async t => {
  const { stage, send, messages } = await written()
  for (const type of ['action', 'hologram', ''])
    await t.rejects(async () => send({ type }), { code: 'INBOX_MESSAGE_TYPE_UNSUPPORTED', status: 400 })
  t.equal((await messages()).length, 1)
  t.strictSame(await stage.queued(), [])
})

t.test('blank text is refused', async t => {
  const { send } = await written()
  await t.rejects(async () => send({ message: ' \n ' }), { code: 'APP_VALIDATION', fields: ['body.message'] })
})

t.test('nothing can be written with the window closed or about to close, nor to a contact who never wrote', async t => {
  const { stage, send, messages } = await written()
  await t.rejects(async () => send({ numberTel: '5491199998888' }), {
    code: 'INBOX_WINDOW_CLOSED',
    status: 409,
    params: { closedAt: '' },
  })
  await t.rejects(async () => send({ numberTel: 'AR.404' }), { code: 'INBOX_WINDOW_CLOSED' })
  stage.clock.set('2026-11-21T12:57:59.000Z')
  await send()
  stage.clock.set('2026-11-21T12:58:00.000Z')
  await t.rejects(async () => send(), { code: 'INBOX_WINDOW_CLOSED', params: { closedAt: '2026-11-21T12:59:00.000Z' } })
  t.equal((await messages()).length, 2)
})

t.test('nothing can be sent without a connection, nor from another number', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  const send = (own?: string) =>
    stage.inbox.sendMessage(stage.ana.member, { body: { message: 'x', numberTel: phone, phone: own } })
  await t.rejects(async () => send(), { code: 'INBOX_NOT_CONNECTED', status: 409 })
  await stage.connect('5491150000000')
  await t.rejects(async () => send('5491150000001'), { code: 'APP_VALIDATION', fields: ['body.phone'] })
  t.match(await send('+54 9 11 5000-0000'), { status: 'queued' })
})

t.test('a refusal changes nothing', async t => {
  const { stage, send, row } = await written()
  const before = await row()
  await t.rejects(async () => send({ replyToMessageId: 'none' }))
  t.strictSame(await row(), before)
  t.strictSame([stage.events, await stage.queued()], [[], []])
})

t.test('an answer unarchives the conversation', async t => {
  const { stage, member, send, row } = await written()
  await stage.inbox.archiveChat(member, { body: { phoneNumber: phone } })
  await send()
  t.match(await row(), { archived: false, control: 'human' })
})

t.test('a failed message is resent as the same message', async t => {
  const { stage, member, send, fail, messages } = await written()
  const { id } = await send()
  await fail(id, '131000')
  t.match((await messages()).at(-1), { status: 'failed', error: { code: '131000' } })
  t.same(await stage.queued(), [])
  const again = await stage.inbox.retryMessage(member, { params: { id } })
  t.match(again, { id, status: 'queued', wamid: null })
  t.equal(again.error, undefined)
  t.match(await stage.queued(), [{ kind: 'message', ref: id }])
})

t.test('a message that cannot be resent says why', async t => {
  const { stage, member, message, send, fail } = await written()
  const { id } = await send()
  const retry = async (which = id) => stage.inbox.retryMessage(member, { params: { id: which } })
  await t.rejects(retry(), { code: 'INBOX_MESSAGE_NOT_FAILED' })
  await t.rejects(retry(newId()), { code: 'INBOX_MESSAGE_NOT_FOUND', status: 404 })
  const inbound = await stage.databases.read
    .selectFrom('message')
    .select('id')
    .where('wamid', '=', message.wamid)
    .executeTakeFirstOrThrow()
  await t.rejects(retry(inbound.id), { code: 'INBOX_MESSAGE_NOT_FOUND' })
  await fail(id, '131050')
  await t.rejects(retry(), { code: 'INBOX_RETRY_USELESS', params: { code: '131050' } })
  const second = await send()
  await stage.write(write => applyDelivery(write, { messageId: second.id }, { kind: 'unconfirmed', at: '' }, stage))
  await fail(second.id, 'UNCONFIRMED')
  await t.rejects(retry(second.id), { code: 'INBOX_MESSAGE_UNCONFIRMED' })
  const third = await send()
  await fail(third.id, '131000')
  stage.clock.advance(dayMs)
  await t.rejects(retry(third.id), { code: 'INBOX_WINDOW_CLOSED' })
})

t.test(
  'archiving removes the conversation from the list and clears its notification; archiving again changes nothing',
  async t => {
    const { stage, member } = await written()
    const archive = (archived?: boolean) => stage.inbox.archiveChat(member, { body: { phoneNumber: phone, archived } })
    t.match(await archive(), { archived: true, control: 'bot' })
    t.strictSame(types(stage), ['conversation', 'human.claimed', 'internal'])
    t.match(await archive(true), { archived: true })
    t.equal(stage.events.length, 3)
    t.match((await stage.inbox.listConversations(member, { query: { archived: true } })).items, [{ phone }])
    t.match(await archive(false), { archived: false })
    t.match(types(stage), ['conversation', 'human.claimed', 'internal', 'conversation', 'internal'])
  },
)

t.test('reading clears the unread count and sends the customer one read receipt', async t => {
  const { stage, member, message } = await written()
  t.match(await stage.inbox.markRead(member, { params }), { unread: 0 })
  t.match(await stage.queued(), [{ kind: 'read', ref: message.wamid }])
  await stage.inbox.markRead(member, { params })
  t.equal((await stage.queued()).length, 1)
  t.strictSame(types(stage), ['conversation'])
})

t.test('no read receipt is sent for a message that Meta has forgotten', async t => {
  const { stage, member } = await written()
  stage.clock.advance(31 * dayMs)
  t.match(await stage.inbox.markRead(member, { params }), { unread: 0 })
  t.strictSame(await stage.queued(), [])
})

t.test('unread is a mark as well as a count', async t => {
  const { stage, member } = await written()
  await stage.inbox.markRead(member, { params })
  t.match(await stage.inbox.markUnread(member, { params }), { unread: 1 })
  t.match(await stage.inbox.markUnread(member, { params }), { unread: 1 })
  t.strictSame(types(stage), ['conversation', 'conversation'])
})

t.test('unread conversations are counted, also those beyond the current page', async t => {
  const { stage, member } = await written()
  const people = Array.from({ length: 40 }, (_, i) => ({ waId: `54911555560${String(i).padStart(2, '0')}` }))
  await stage.apply(...people.map(sender => aMessage({ sender })), aMessage({ sender: people[0] }))
  const count = async (caller = member) => (await stage.inbox.countUnread(caller, {})).conversations
  t.equal(await count(), 41)
  await stage.inbox.markRead(member, { params: { phone: people[0]?.waId as string } })
  t.equal(await count(), 40)
  await stage.inbox.archiveChat(member, { body: { phoneNumber: people[1]?.waId as string } })
  t.equal(await count(), 39)
  await stage.inbox.markUnread(member, { params: { phone: people[0]?.waId as string } })
  t.equal(await count(), 40)
  t.equal(
    await count({ ...member, scope: seesSome({ tagIds: [], assigneeId: null }) }),
    0,
    'what somebody does not see is not counted',
  )
})

t.test('typing is sent while the window is open', async t => {
  const { stage, member, message } = await written()
  t.strictSame(await stage.inbox.showTyping(member, { params }), { success: true })
  t.match(await stage.queued(), [{ kind: 'typing', ref: message.wamid }])
  stage.clock.advance(dayMs)
  t.strictSame(await stage.inbox.showTyping(member, { params }), { success: false })
  t.equal((await stage.queued()).length, 1)
})

t.test('an unknown number has no conversation, whatever is requested', async t => {
  const { stage, member } = await written()
  const { inbox } = stage
  for (const unknown of ['5491100000000', 'AR.404']) {
    const call = { params: { phone: unknown } }
    const asks: (() => Promise<unknown>)[] = [
      async () => inbox.getConversation(member, call),
      async () => inbox.getChatName(member, call),
      async () => inbox.markRead(member, call),
      async () => inbox.listMessages(member, { ...call, query: {} }),
      async () => inbox.markUnread(member, call),
      async () => inbox.showTyping(member, call),
      async () => inbox.archiveChat(member, { body: { phoneNumber: unknown } }),
    ]
    for (const ask of asks) await t.rejects(ask, { code: 'INBOX_CHAT_NOT_FOUND', status: 404 })
  }
})

t.test('advancing one organization’s time closes its windows and affects no other organization', async t => {
  const { stage, send, messages, row } = await written()
  const other = await anInbox(stage)
  await other.apply(aMessage())
  const before = await other.inbox.getConversation(other.ana.member, { params })
  const drafts = await stage.write(async write => {
    const [number] = await listOwnNumbers(write.db, write.orgId)
    await ageSimulated({ run: work => work(write) }, number?.id ?? '', dayMs + 1)
  })
  t.match(drafts, [
    { type: 'conversation', number: phone, data: { conversation: { windowClosesAt: '2026-11-20T12:58:59.999Z' } } },
  ])
  t.match(await messages(), [{ at: '2026-11-19T12:58:59.999Z' }])
  t.match(await row(), { lastMessage: { at: '2026-11-19T12:58:59.999Z' } })
  await t.rejects(async () => send(), { code: 'INBOX_WINDOW_CLOSED' })
  t.strictSame(await other.inbox.getConversation(other.ana.member, { params }), before)
})

t.test('a NUL in a customer’s text is removed before storing, and the rest is kept', async t => {
  const { stage, messages } = await written()
  const raw = textWebhook({ ...itemScope, from: phone, wamid: 'wamid.NUL', text: 'Ho\u0000la \u0000' })
  t.ok(raw.includes('\\u0000'), 'as JSON carries it')
  await stage.apply(...itemsOf(raw, stage.clock.now().toISOString()))
  t.ok((await messages()).some(({ text }) => text?.trim() === 'Hola'))
})
