import t from 'tap'
import { applyDelivery, type DeliveryTarget } from '#server/messaging/messages/delivery/delivery.ts'
import type { DeliveryChange } from '#server/messaging/messages/delivery/moves.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import { aMessage, aReaction, aStatus, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 13, 0, second)).toISOString()

/** An inbox in which Ana has just answered Lucía; the answer is not sent yet. */
const answered = async () => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage())
  const message = await stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Sí', numberTel: phone } })
  const go = (target: DeliveryTarget, change: DeliveryChange) =>
    stage.write(write => applyDelivery(write, target, change, { clock: stage.clock }))
  const now = async () => {
    const row = await stage.databases.read
      .selectFrom('message')
      .selectAll()
      .where('id', '=', message.id)
      .executeTakeFirstOrThrow()
    const conversation = await stage.databases.read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
    return { ...row, list: conversation.last_message_status }
  }
  return { stage, id: message.id, me: { messageId: message.id }, go, now }
}

const anAttempt = async (stage: AnInbox, messageId: string, callback: string) => {
  await stage.databases.write
    .insertInto('message_attempt')
    .values({
      org_id: stage.orgId,
      message_id: messageId,
      callback,
      started_at: at(0),
      ended_at: null,
      outcome: null,
      http_status: null,
      error_code: null,
      error_detail: null,
      wamid: null,
    })
    .execute()
}

const accepted = (wamid = 'wamid.1'): DeliveryChange => ({ kind: 'accepted', wamid, at: at(1) })

t.test('accepted is not sent; the delivery states follow one by one, also in the list', async t => {
  const { me, go, now } = await answered()
  const drafts = await go(me, accepted())
  t.match(drafts, [{ type: 'status', number: phone, data: { wamid: 'wamid.1', status: 'queued', isLast: true } }])
  for (const status of ['sent', 'delivered', 'read'] as const) {
    const moved = await go({ wamid: 'wamid.1' }, { kind: 'status', wamid: 'wamid.1', status, at: at(2) })
    t.match(moved, [{ type: 'status', data: { status, at: at(2) } }])
    t.match(await now(), { status, list: status })
  }
  t.match(await now(), { sent_at: at(2), delivered_at: at(2), read_at: at(2) })
})

t.test('statuses in any order and number end at the furthest state', async t => {
  const orders = [
    ['read', 'sent', 'delivered'],
    ['delivered', 'read', 'sent'],
    ['read', 'delivered', 'sent'],
    ['sent', 'read', 'delivered'],
  ] as const
  for (const order of orders) {
    const { stage, me, go, now } = await answered()
    await go(me, accepted())
    const items = order.map(status => aStatus({ wamid: 'wamid.1', status, at: at(order.indexOf(status)) }))
    for (const item of [...items, ...items]) await stage.apply(item)
    const row = await now()
    t.match(row, { status: 'read', list: 'read' }, order.join())
    t.ok(row.sent_at && row.delivered_at && row.read_at, 'each with its own time')
  }
})

t.test('a repeated status publishes nothing', async t => {
  const { stage, me, go } = await answered()
  await go(me, accepted())
  const item = aStatus({ wamid: 'wamid.1', status: 'delivered' })
  t.equal((await stage.apply(item, item, item)).length, 1)
  for (let i = 0; i < 10; i += 1) t.strictSame(await stage.apply(item), [])
})

t.test('a status that arrives before the send response waits for it', async t => {
  const { stage, me, go, now } = await answered()
  t.strictSame(
    await stage.apply(aStatus({ wamid: 'wamid.1', status: 'sent' }), aStatus({ wamid: 'wamid.1', status: 'read' })),
    [],
  )
  await stage.apply(aReaction({ targetWamid: 'wamid.1' }))
  t.equal((await now()).status, 'queued')
  const drafts = await go(me, accepted())
  t.match(drafts, [{ type: 'status', data: { status: 'read' } }, { type: 'messageChanged' }])
  t.match(await now(), { status: 'read', list: 'read', wamid: 'wamid.1' })
  t.strictSame(await stage.databases.read.selectFrom('pending_effect').selectAll().execute(), [])
})

t.test('failed is final, whatever comes before or after', async t => {
  const failed = {
    status: 'failed',
    failure: { code: '131047', title: 'Re-engagement message', detail: 'More than 24 hours' },
  } as const
  const { stage, me, go, now } = await answered()
  await go(me, accepted())
  await stage.apply(aStatus({ wamid: 'wamid.1', status: 'sent', at: at(1) }))
  const drafts = await stage.apply(aStatus({ wamid: 'wamid.1', ...failed, at: at(2) }))
  t.match(drafts, [{ data: { status: 'failed', error: { code: '131047', message: /24 h/ } } }])
  t.strictSame(await stage.apply(aStatus({ wamid: 'wamid.1', status: 'sent', at: at(1) })), [])
  t.match(await now(), { status: 'failed', error_code: '131047', error_detail: 'More than 24 hours', list: 'failed' })
})

t.test('a delivered message cannot fail', async t => {
  const { stage, me, go, now } = await answered()
  await go(me, accepted())
  await stage.apply(aStatus({ wamid: 'wamid.1', status: 'delivered' }))
  t.strictSame(await stage.apply(aStatus({ wamid: 'wamid.1', status: 'failed' })), [])
  t.strictSame(await go(me, { kind: 'failed', code: 'TIMEOUT', at: at(5) }), [])
  t.match(await now(), { status: 'delivered', error_code: null })
})

t.test('a refusal is shown with its code', async t => {
  const { stage, me, go, now } = await answered()
  t.match(await go(me, { kind: 'failed', code: '131026', detail: 'Undeliverable', at: at(3) }), [
    { data: { status: 'failed', wamid: null, error: { code: '131026' } } },
  ])
  t.match(await now(), { status: 'failed', failed_at: at(3), error_code: '131026', list: 'failed' })
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.match(items[0]?.lastMessage, { status: 'failed', error: '131026' }, 'the row has the reason, too')
})

t.test('an unconfirmed message is settled by the status that names its wamid and attempt', async t => {
  const { stage, id, me, go, now } = await answered()
  await anAttempt(stage, id, 'cb-1')
  t.match(await go(me, { kind: 'unconfirmed', at: at(1) }), [{ data: { status: 'queued', unconfirmed: true } }])
  t.match(await now(), { status: 'queued', unconfirmed: 1 })
  const drafts = await stage.apply(aStatus({ wamid: 'wamid.9', status: 'delivered', callback: 'cb-1' }))
  t.match(drafts, [{ data: { id, wamid: 'wamid.9', status: 'delivered' } }])
  t.notMatch(drafts, [{ data: { unconfirmed: true } }])
  t.match(await now(), { status: 'delivered', unconfirmed: 0, wamid: 'wamid.9' })
  t.match(await stage.databases.read.selectFrom('message_attempt').selectAll().execute(), [{ wamid: 'wamid.9' }])
  await stage.apply(aStatus({ wamid: 'wamid.9', status: 'read' }))
  t.equal((await now()).status, 'read', 'later ones find it without the callback')
})

t.test('an unconfirmed failure is replaced by evidence of delivery', async t => {
  const { stage, id, me, go, now } = await answered()
  await anAttempt(stage, id, 'cb-1')
  await go(me, { kind: 'unconfirmed', at: at(1) })
  await go(me, { kind: 'failed', code: 'UNCONFIRMED', at: at(2) })
  t.match(await now(), { status: 'failed', unconfirmed: 1 })
  await stage.apply(aStatus({ wamid: 'wamid.9', status: 'read', callback: 'cb-1' }))
  t.match(await now(), { status: 'read', unconfirmed: 0, error_code: null, failed_at: null, wamid: 'wamid.9' })
})

t.test('a resent message starts again, and statuses of the first attempt no longer affect it', async t => {
  const { stage, id, me, go, now } = await answered()
  await anAttempt(stage, id, 'cb-1')
  await go(me, accepted('wamid.1'))
  const failure = aStatus({
    wamid: 'wamid.1',
    status: 'failed',
    callback: 'cb-1',
    failure: { code: '131026', title: 'x' },
  })
  await stage.apply(failure)
  t.match(await go(me, { kind: 'requeued', at: at(5) }), [{ data: { status: 'queued', wamid: null } }])
  await anAttempt(stage, id, 'cb-2')
  t.strictSame(await stage.apply(failure), [], 'the repeated failure of the first')
  await go(me, accepted('wamid.2'))
  await stage.apply(aStatus({ wamid: 'wamid.2', status: 'delivered', callback: 'cb-2' }))
  t.match(await now(), { status: 'delivered', wamid: 'wamid.2', error_code: null })
})

t.test('only a failed message can be queued again', async t => {
  const { me, go, now } = await answered()
  await go(me, accepted())
  t.strictSame(await go(me, { kind: 'requeued', at: at(5) }), [])
  t.equal((await now()).wamid, 'wamid.1')
})

t.test('Meta’s response supplies its spelling of the number and the user id, and the reply uses them', async t => {
  const { stage, me, go } = await answered()
  await go(me, { kind: 'accepted', wamid: 'wamid.1', at: at(1), waId: '541155551234', bsuid: 'AR.999' })
  const row = await stage.inbox.getConversation(stage.ana.member, { params: { phone } })
  t.equal(row.phone, '541155551234')
  t.equal((await stage.inbox.getConversation(stage.ana.member, { params: { phone: 'AR.999' } })).id, row.id)
})

t.test('two conversations that Meta’s response shows to be the same become one', async t => {
  const { stage, me, go } = await answered()
  await stage.apply(aMessage({ sender: { bsuid: 'AR.777' }, words: 'desde el otro' }))
  await go(me, { kind: 'accepted', wamid: 'wamid.1', at: at(1), waId: phone, bsuid: 'AR.777' })
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  t.equal(items.length, 1)
  const messages = await stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: {} })
  t.strictSame(
    new Set(withoutActivity(messages.items).map(message => message.text)),
    new Set(['Hola, ¿tienen turno?', 'Sí', 'desde el otro']),
  )
})

t.test('an echoed copy of our own message is replaced by the original', async t => {
  const { stage, me, go } = await answered()
  await stage.apply({
    kind: 'echo',
    wabaId: '1',
    wamid: 'wamid.1',
    at: at(1),
    recipient: lucia,
    body: { type: 'text', text: 'Sí' },
  })
  await go(me, accepted())
  const { items } = await stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: {} })
  t.equal(items.filter(message => message.wamid === 'wamid.1').length, 1)
})

t.test('an unknown message or one of another organization stays unchanged', async t => {
  const { stage, id, go, now } = await answered()
  const other = await anInbox(stage)
  t.strictSame(await go({ messageId: newId() }, accepted()), [])
  t.strictSame(await go({ callback: 'none' }, { kind: 'failed', code: 'x', at: at(1) }), [])
  t.strictSame(
    await other.write(write => applyDelivery(write, { messageId: id }, accepted(), { clock: stage.clock })),
    [],
  )
  t.match(await now(), { status: 'queued', wamid: null })
})

t.test('several hundred statuses in one batch are all applied', async t => {
  const stage = await anInbox()
  const messages = Array.from({ length: 300 }, (_, i) => `wamid.e${i}`)
  await stage.apply(
    ...messages.map(wamid => ({
      kind: 'echo' as const,
      wabaId: '1',
      wamid,
      at: at(0),
      recipient: lucia,
      body: { type: 'text' as const, text: wamid },
    })),
  )
  const drafts = await stage.apply(...messages.map(wamid => aStatus({ wamid, status: 'read' })))
  t.equal(drafts.length, 300)
  const rows = await stage.databases.read.selectFrom('message').select(['status']).execute()
  t.ok(rows.length === 300 && rows.every(row => row.status === 'read'))
})
