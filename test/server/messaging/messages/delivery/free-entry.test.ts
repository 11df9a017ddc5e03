import t from 'tap'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, aStatus } from '#test/helpers/items.ts'
import { envelope, itemsOf, metaJson } from '#test/helpers/webhooks.ts'

const receivedAt = '2026-11-20T13:00:05.000Z'
const freeUntil = '2026-11-23T13:00:00.000Z'
const seconds = (iso: string) => String(Date.parse(iso) / 1000)
const report = (more: object) => ({
  id: 'wamid.FREE',
  status: 'sent',
  timestamp: seconds('2026-11-20T13:00:00.000Z'),
  recipient_id: '5491155551234',
  ...more,
})
const read = (more: object) => itemsOf(metaJson(envelope({ statuses: [report(more)] })), receivedAt)[0]

t.test('a status for a customer who came through an advertisement tells until when messages are free', async t => {
  const conversation = { id: 'c', expiration_timestamp: seconds(freeUntil), origin: { type: 'referral_conversion' } }
  t.match(read({ conversation, pricing: { type: 'free_entry_point', category: 'referral_conversion' } }), { freeUntil })
  t.match(read({ conversation }), { freeUntil }, 'by its origin alone')
  const ordinary = { ...conversation, origin: { type: 'service' } }
  t.match(read({ conversation: ordinary, pricing: { type: 'regular' } }), { freeUntil: undefined })
  for (const expiration_timestamp of [undefined, '', 'mañana', {}, seconds('2027-11-20T13:00:00.000Z')])
    t.match(read({ conversation: { ...conversation, expiration_timestamp } }), { kind: 'status', freeUntil: undefined })
})

t.test('the conversation keeps the later end, and the 24-hour window is independent of it', async t => {
  const stage = await anInbox()
  const echo = anEcho()
  await stage.apply(aMessage(), echo)
  const row = async () => (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items[0]
  t.equal((await row())?.freeUntil, undefined)
  const events = await stage.apply(aStatus({ wamid: echo.wamid, status: 'delivered', freeUntil }))
  t.ok(
    events.some(({ type }) => type === 'conversation'),
    'open pages are told',
  )
  t.match(await row(), { freeUntil, windowClosesAt: '2026-11-21T12:59:00.000Z' })
  await stage.apply(aStatus({ wamid: echo.wamid, status: 'read', freeUntil: '2026-11-22T13:00:00.000Z' }))
  t.match(await row(), { freeUntil })
})
