/**
 * A webhook of messages with expensive patterns: each has its own budget, and what its slice cannot afford is matched
 * in the next.
 */
import t from 'tap'
import { parsePattern } from '#shared/kernel/pattern.ts'
import { workLimits } from '#shared/kernel/work.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { flowStage, graphOf } from '#test/helpers/flow-stage.ts'
import { signatureOf } from '#test/helpers/webhooks.ts'

const says = graphOf([{ id: 'm', type: 'message', text: 'Ya lo miro.' }], [['s', 'next', 'm']])
const dear = (i: number) => `(a|b)*a(a|b){60}[cd]${i}`
/** Customers per webhook; with cheap messages as many slices would take them all at once. */
const customers = 12

t.test('no message goes unmatched because of earlier ones in its slice', async t => {
  const body = (i: number) => `pedido ${i} ${'ab'.repeat(490)}`
  const steps = (parsePattern(dear(0)) as Exclude<ReturnType<typeof parsePattern>, string>).steps(body(0))
  const count = Math.floor((0.9 * workLimits.message) / steps)
  t.ok(count * steps * customers > 2 * workLimits.slice, 'all of them cost more than two slices')
  const words = [...Array.from({ length: count }, (_, i) => dear(i)), 'pedido \\d+']
  const stage = await flowStage(t, says, [{ id: 'p', kind: 'keyword', match: 'pattern', words }])
  const keys = await connectionKeys(stage.backend.parts, stage.owner.org.id)
  if (!keys) throw new Error('not connected')

  const timestamp = String(Math.floor(stage.backend.clock.now().getTime() / 1000))
  const send = async (messages: object[]) => {
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: keys.phoneNumberId }, messages }
    const entry = [{ id: keys.wabaId, changes: [{ field: 'messages', value }] }]
    const payload = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(payload, keys.appSecret) }
    const url = `/webhooks/whatsapp/${keys.id}`
    t.equal((await stage.backend.inject({ method: 'POST', url, headers, payload })).statusCode, 200)
  }
  const message = (i: number) => ({
    ...{ id: `wamid.${i}`, from: `54911${60_000_000 + i}`, timestamp, type: 'text', text: { body: body(i) } },
  })
  const all = Array.from({ length: 2 * customers }, (_, i) => message(i))
  await send(all.slice(0, customers))
  for (const one of all.slice(customers)) await send([one])
  await stage.backend.settle()

  t.equal((await stage.said()).length, all.length, 'each is answered')
  const order = await stage.databases.read
    .selectFrom('message')
    .select('wamid')
    .where('direction', '=', 'in')
    .orderBy('seq')
    .execute()
  t.strictSame(
    order.map(({ wamid }) => wamid),
    all.map(({ id }) => id),
    'once, and in order',
  )
  const { body: flow } = await stage.call('GET', `/whatsapp/flows/${stage.flow}`)
  t.equal(flow.limitedAt, null, 'and nobody is told that something was not read')
  t.strictSame(stage.backend.errors(), [])
})

t.test('a message too expensive by itself matches nothing, and the flow’s author is told', async t => {
  const words = [...Array.from({ length: 20 }, (_, i) => dear(i)), 'pedido \\d+']
  const stage = await flowStage(t, says, [{ id: 'p', kind: 'keyword', match: 'pattern', words }])
  await stage.say(`pedido 1 ${'ab'.repeat(490)}`)
  t.strictSame(await stage.said(), [])
  t.type((await stage.call('GET', `/whatsapp/flows/${stage.flow}`)).body.limitedAt, 'string')
  await stage.say('pedido 2', { from: '5491155550505' })
  t.strictSame(await stage.said(), ['Ya lo miro.'])
})
