import t from 'tap'
import { verifySignature } from '#server/whatsapp/webhook.ts'
import { sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const minute = 60_000

const statusesOf = (bench: Awaited<ReturnType<typeof sandboxBench>>) =>
  bench.delivered.map(webhook => webhook.json.entry[0].changes[0].value.statuses?.[0]?.status).filter(Boolean)

t.test('a restart keeps the statuses that were still to come', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  bench.clock.advance(500)
  await bench.sandbox.idle()
  await bench.sandbox.stop()
  t.same(statusesOf(bench), ['sent'])
  bench.clock.advance(10 * minute)
  await bench.restart().idle()
  t.same(statusesOf(bench), ['sent', 'delivered'])
  bench.clock.advance(10 * minute)
  await bench.restart().idle()
  t.same(statusesOf(bench), ['sent', 'delivered', 'read'])
})

t.test('once started it needs no pushing', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.configure(bench.member, { body: { statusDelayMs: 0 } })
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  bench.sandbox.start()
  await bench.post(textTo(customer))
  while (statusesOf(bench).length < 3) await new Promise(resolve => setTimeout(resolve, 5))
  t.same(statusesOf(bench), ['sent', 'delivered', 'read'])
})

t.test(
  'only 200 takes a webhook; all else is tried again with growing gaps, byte for byte, and given up in the end',
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
      await sandbox.idle()
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
    await sandbox.idle()
    const tried = delivered.length
    clock.advance(37 * 60 * minute)
    await sandbox.idle()
    t.equal(delivered.length, tried, 'after a day and a half nobody asks any more')
  },
)

t.test('a webhook that was refused does not hold back the ones after it', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.configure(member, { body: { statusDelayMs: 200 } })
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  let count = 0
  bench.answer(async () => (++count === 1 ? 500 : 200))
  for (let i = 0; i < 7; i += 1) {
    clock.advance(200)
    await sandbox.idle()
  }
  t.same(statusesOf(bench), ['sent', 'delivered', 'sent'])
})

t.test('a door that throws is a webhook not taken', async t => {
  const bench = await sandboxBench(t)
  bench.answer(async () => {
    throw new Error('connection refused')
  })
  t.match(await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } }), { status: 0 })
  bench.answer(200)
  bench.clock.advance(1000)
  await bench.sandbox.idle()
  t.equal(bench.delivered.length, 2)
  t.same(bench.errors, [])
})

t.test('a connection let go or turned into a real one gets nothing more', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  await bench.databases.write
    .updateTable('wa_connection')
    .set({ kind: 'cloud' })
    .where('org_id', '=', bench.member.orgId)
    .execute()
  bench.clock.advance(minute)
  await bench.sandbox.idle()
  t.same(statusesOf(bench), [])
  await t.rejects(async () => bench.sandbox.service.getState(bench.member, {}), {
    code: 'SANDBOX_NOT_CONNECTED',
    status: 409,
  })
})

t.test('a month later nothing is kept', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock, databases } = bench
  await sandbox.service.inbound(member, { body: { from: customer, type: 'image' } })
  await sandbox.service.setPresence(member, { body: { from: customer, online: false } })
  await bench.post(textTo(customer))
  clock.advance(minute)
  await sandbox.idle()
  clock.advance(31 * 24 * 60 * minute)
  await sandbox.idle()
  for (const table of ['sandbox_message', 'sandbox_media', 'sandbox_job'] as const)
    t.same(await databases.read.selectFrom(table).selectAll().execute(), [], table)
})

t.test('hundreds of messages at once each get their statuses, in order', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member } = bench
  await sandbox.service.configure(member, { body: { statusDelayMs: 0 } })
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  bench.delivered.length = 0
  await Promise.all(Array.from({ length: 300 }, (_, i) => bench.post(textTo(customer, `n ${i}`))))
  await sandbox.idle()
  const byMessage = Map.groupBy(
    bench.delivered.map(({ json }) => json.entry[0].changes[0].value.statuses[0]),
    status => status.id,
  )
  t.equal(byMessage.size, 300)
  for (const group of byMessage.values())
    if (group.map(({ status }) => status).join() !== 'sent,delivered,read') t.fail(JSON.stringify(group))
})
