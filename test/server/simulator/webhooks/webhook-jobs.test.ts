import t from 'tap'
import { verifySignature } from '#server/whatsapp/webhooks/signature.ts'
import { sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const minute = 60_000

const statusesOf = (bench: Awaited<ReturnType<typeof sandboxBench>>) =>
  bench.delivered.map(webhook => webhook.json.entry[0].changes[0].value.statuses?.[0]?.status).filter(Boolean)

t.test(
  'only 200 accepts a webhook; otherwise it is retried unchanged with growing delays, and finally dropped',
  async t => {
    const bench = await sandboxBench(t)
    const { sandbox, member, clock, delivered } = bench
    bench.answer(202)
    t.match(await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } }), { status: 202 })
    const gaps: number[] = []
    let waited = 0
    for (let i = 0; i < 1000 && gaps.length < 6; i += 1) {
      const before = delivered.length
      const step = waited < 10_000 ? 1000 : minute
      clock.advance(step)
      waited += step
      await bench.idle()
      if (delivered.length > before) {
        gaps.push(waited)
        waited = 0
      }
    }
    t.equal(gaps[0], 1000)
    t.ok(
      gaps.slice(1).every((gap, i) => gap >= (gaps[i] as number)),
      String(gaps),
    )
    t.ok((gaps.at(-1) as number) >= 60 * minute)
    t.equal(new Set(delivered.map(({ raw }) => raw.toString())).size, 1)
    t.ok(
      delivered.every(({ raw, headers }) =>
        verifySignature(raw, headers['x-hub-signature-256'], bench.number.appSecret),
      ),
    )

    clock.advance(37 * 60 * minute)
    await bench.idle()
    const tried = delivered.length
    clock.advance(37 * 60 * minute)
    await bench.idle()
    t.equal(delivered.length, tried, 'after a day and a half it is not retried')
  },
)

t.test('a refused webhook does not block the next ones', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.configure(member, { body: { statusDelayMs: 200 } })
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  let count = 0
  bench.answer(async () => (++count === 1 ? 500 : 200))
  for (let i = 0; i < 7; i += 1) {
    clock.advance(200)
    await bench.idle()
  }
  t.same(statusesOf(bench), ['sent', 'delivered', 'sent'])
})

t.test('a server that throws has not accepted the webhook', async t => {
  const bench = await sandboxBench(t)
  bench.answer(async () => {
    throw new Error('connection refused')
  })
  t.match(await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } }), { status: 0 })
  bench.answer(200)
  bench.clock.advance(1000)
  await bench.idle()
  t.equal(bench.delivered.length, 2)
  t.same(bench.errors, [])
})
