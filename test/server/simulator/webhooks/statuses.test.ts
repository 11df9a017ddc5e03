import t from 'tap'
import { type SandboxBench, sandboxBench, textTo } from '#test/helpers/sandbox.ts'
import { shapeFaults } from '#test/helpers/webhook-shapes.ts'
import { itemsOf } from '#test/helpers/webhooks.ts'

const customer = '5491155551234'
type Behaviour = Parameters<SandboxBench['sandbox']['service']['configure']>[1]['body']

/** Sends a message to a customer with an open window and lets a minute pass; returns the statuses in order. */
const statusesOf = async (
  bench: SandboxBench,
  behaviour: Behaviour,
  message: object = textTo(customer, 'x', { biz_opaque_callback_data: 'job' }),
) => {
  const { sandbox, member, clock, delivered } = bench
  await sandbox.service.configure(member, { body: behaviour })
  await sandbox.service.inbound(member, { body: { from: customer, name: 'Ana', text: 'hola' } })
  const before = delivered.length
  const { json } = await bench.post(message)
  for (let i = 0; i < 60; i += 1) {
    clock.advance(1000)
    await bench.idle()
  }
  const webhooks = delivered.slice(before)
  for (const webhook of webhooks) {
    if (shapeFaults(webhook.json).length) throw new Error(shapeFaults(webhook.json).join('\n'))
    for (const item of itemsOf(webhook.raw, clock.now().toISOString()))
      if (item.kind !== 'status' || item.wamid !== json.messages[0].id)
        throw new Error(`unexpected ${JSON.stringify(item)}`)
  }
  return { webhooks, statuses: webhooks.flatMap(webhook => webhook.json.entry[0].changes[0].value.statuses) }
}
const names = (statuses: { status: string }[]) => statuses.map(({ status }) => status)

t.test('a message is sent, delivered and read, and two statuses have its price', async t => {
  const { statuses, webhooks } = await statusesOf(await sandboxBench(t), {})
  t.same(names(statuses), ['sent', 'delivered', 'read'])
  const stamps = statuses.map(({ timestamp }) => Number(timestamp))
  t.same(stamps, [...stamps].sort())
  const price = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' }
  t.same(
    statuses.map(({ pricing }) => pricing),
    [price, price, undefined],
  )
  t.same(
    statuses.map(({ conversation }) => conversation),
    [undefined, undefined, undefined],
    'no conversation since v24',
  )
  t.ok(statuses.every(status => status.biz_opaque_callback_data === 'job' && status.recipient_id === customer))
  t.match(webhooks[0]?.json.entry[0].changes[0].value.contacts, [
    { profile: { name: 'Ana' }, wa_id: customer, user_id: /^AR\./ },
  ])
})

t.test('before October 2026 an answer was free', async t => {
  const { statuses } = await statusesOf(await sandboxBench(t, { start: '2026-09-01T10:00:00.000Z' }), {})
  t.match(statuses[0].pricing, { billable: false, type: 'free_customer_service' })
})

t.test('webhooks up to v23 have conversations, and only sent has their expiry', async t => {
  const { statuses } = await statusesOf(await sandboxBench(t), { webhookVersion: 'v23.0' })
  t.match(statuses[0].conversation, {
    id: /^[0-9a-f]{32}$/,
    expiration_timestamp: /^\d{10}$/,
    origin: { type: 'service' },
  })
  t.match(statuses[1].conversation, { id: statuses[0].conversation.id })
  t.notOk('expiration_timestamp' in statuses[1].conversation)
  t.equal(statuses[2].conversation, undefined)
})

t.test('an answer to a customer who came by an advertisement is free, as a conversation', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, {
    body: { from: customer, text: 'hola', adHeadline: 'Medialunas' },
  })
  await statusesOf(bench, {})
  const { statuses } = await statusesOf(bench, {})
  t.match(statuses[0], {
    pricing: { billable: false, type: 'free_entry_point', category: 'referral_conversion' },
    conversation: { origin: { type: 'referral_conversion' } },
  })
})

t.test('each setting changes the statuses as described', async t => {
  const voice = async (bench: SandboxBench) => {
    const { id } = await bench.databases.read.selectFrom('sandbox_media').select('id').executeTakeFirstOrThrow()
    return { ...textTo(customer), type: 'audio', audio: { id, voice: true } }
  }
  const cases: [string, Behaviour, string[]][] = [
    ['the chat is open', { skipDelivered: true }, ['sent', 'read']],
    ['nobody looks', { autoRead: false }, ['sent', 'delivered']],
    ['delivered overtakes sent', { reorder: true }, ['delivered', 'sent', 'read']],
    ['everything twice', { duplicate: true }, ['sent', 'sent', 'delivered', 'delivered', 'read', 'read']],
    ['at once', { statusDelayMs: 0 }, ['sent', 'delivered', 'read']],
  ]
  for (const [what, behaviour, order] of cases) {
    const { statuses } = await statusesOf(await sandboxBench(t), behaviour)
    t.same(names(statuses), order, what)
    t.equal(
      statuses.filter(({ status, pricing }) => status !== 'sent' && pricing).length,
      order.filter(name => name === (order.includes('delivered') ? 'delivered' : 'read')).length,
      `${what}: one of delivered and read bears the price`,
    )
  }
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, type: 'voice' } })
  t.same(names((await statusesOf(bench, {}, await voice(bench))).statuses), ['sent', 'delivered', 'read', 'played'])
  const reaction = { ...textTo(customer), type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }
  t.same(names((await statusesOf(await sandboxBench(t), {}, reaction)).statuses), ['sent'])
})

t.test('a link to another kind of file fails after it was accepted', async t => {
  const message = { ...textTo(customer), type: 'video', video: { link: 'https://example.com/pagina.html' } }
  const { statuses } = await statusesOf(await sandboxBench(t), {}, message)
  t.match(statuses, [{ status: 'failed', errors: [{ code: 131053, title: 'Media upload error' }] }])
  t.notOk('pricing' in statuses[0])
})

t.test('statuses that are due together may share a webhook', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock, delivered } = bench
  await sandbox.service.configure(member, { body: { batch: true, autoRead: false } })
  for (const from of [customer, '5491155559999'])
    await sandbox.service.inbound(member, { body: { from, text: 'hola' } })
  for (const to of [customer, '5491155559999', customer]) await bench.post(textTo(to))
  clock.advance(500)
  await bench.idle()
  t.equal(delivered.length, 3)
  const value = delivered[2]?.json.entry[0].changes[0].value
  t.same(names(value.statuses), ['sent', 'sent', 'sent'])
  t.equal(value.contacts.length, 2)
  t.same(shapeFaults(delivered[2]?.json), [])
})

t.test('while the customer is offline a message stays sent, and unread until the chat is opened', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member } = bench
  await sandbox.service.configure(member, { body: { autoRead: false } })
  await sandbox.service.setPresence(member, { body: { from: customer, online: false } })
  t.same(names((await statusesOf(bench, {})).statuses), ['sent'])
  const before = bench.delivered.length
  const later = () =>
    bench.delivered.slice(before).map(webhook => webhook.json.entry[0].changes[0].value.statuses[0].status)
  await sandbox.service.setPresence(member, { body: { from: customer, online: true } })
  await bench.idle()
  t.same(later(), ['delivered'])
  bench.clock.advance(60_000)
  await bench.idle()
  t.same(later(), ['delivered'])
  await sandbox.service.setPresence(member, { body: { from: customer, reads: true } })
  await bench.idle()
  t.same(later(), ['delivered', 'read'])
  t.match(await sandbox.service.listOutbox(member, { query: { to: customer } }), { items: [{ status: 'read' }] })
})
