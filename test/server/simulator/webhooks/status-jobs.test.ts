import t from 'tap'
import { sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const minute = 60_000

const statusesOf = (bench: Awaited<ReturnType<typeof sandboxBench>>) =>
  bench.delivered.map(webhook => webhook.json.entry[0].changes[0].value.statuses?.[0]?.status).filter(Boolean)

t.test('a restart keeps pending statuses', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  bench.clock.advance(500)
  await bench.idle()
  t.same(statusesOf(bench), ['sent'])
  bench.clock.advance(10 * minute)
  await bench.restart()
  await bench.idle()
  t.same(statusesOf(bench), ['sent', 'delivered'])
  bench.clock.advance(10 * minute)
  await bench.restart()
  await bench.idle()
  t.same(statusesOf(bench), ['sent', 'delivered', 'read'])
})

t.test('once started it runs by itself', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.configure(bench.member, { body: { statusDelayMs: 0 } })
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  while (statusesOf(bench).length < 3) await new Promise(resolve => setTimeout(resolve, 5))
  t.same(statusesOf(bench), ['sent', 'delivered', 'read'])
})

t.test('a number that was disconnected or replaced by a real one gets no more statuses', async t => {
  const bench = await sandboxBench(t)
  await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  await bench.databases.write
    .updateTable('wa_connection')
    .set({ kind: 'cloud' })
    .where('org_id', '=', bench.member.orgId)
    .execute()
  bench.clock.advance(minute)
  await bench.idle()
  t.same(statusesOf(bench), [])
  await t.rejects(async () => bench.sandbox.service.getState(bench.member, {}), {
    code: 'SANDBOX_NOT_CONNECTED',
    status: 409,
  })
})

t.test('hundreds of messages at once each get their statuses, in order', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member } = bench
  await sandbox.service.configure(member, { body: { statusDelayMs: 0 } })
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  bench.delivered.length = 0
  await Promise.all(Array.from({ length: 300 }, (_, i) => bench.post(textTo(customer, `n ${i}`))))
  await bench.idle()
  const byMessage = Map.groupBy(
    bench.delivered.map(({ json }) => json.entry[0].changes[0].value.statuses[0]),
    status => status.id,
  )
  t.equal(byMessage.size, 300)
  for (const group of byMessage.values())
    if (group.map(({ status }) => status).join() !== 'sent,delivered,read') t.fail(JSON.stringify(group))
})

t.test(
  'statuses that wait for a customer continue when the customer is online, and are dropped after a month',
  async t => {
    const bench = await sandboxBench(t)
    const { sandbox, member, clock } = bench
    const other = '5491155559876'
    for (const from of [customer, other]) {
      await sandbox.service.inbound(member, { body: { from, text: 'hola' } })
      await sandbox.service.setPresence(member, { body: { from, online: false } })
      await bench.post(textTo(from))
    }
    clock.advance(minute)
    await bench.idle()
    clock.advance(minute)
    await bench.idle()
    t.same(statusesOf(bench), ['sent', 'sent'])
    const waiting = () => bench.databases.read.selectFrom('job').select(['kind', 'reason', 'attempts']).execute()
    t.strictSame(
      (await waiting()).map(({ kind, reason, attempts }) => [kind, reason, attempts]),
      [customer, other].map(waId => ['simulator.status', `customer ${waId}`, 0]),
    )
    await sandbox.service.setPresence(member, { body: { from: customer, online: true } })
    await bench.idle()
    t.same(statusesOf(bench), ['sent', 'sent', 'delivered'])
    clock.advance(minute)
    await bench.idle()
    t.same(statusesOf(bench), ['sent', 'sent', 'delivered', 'read'])
    clock.advance(30 * 24 * 60 * minute)
    await bench.idle()
    t.strictSame(await waiting(), [])
  },
)

t.test('a reset deletes pending statuses', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  await bench.post(textTo(customer))
  bench.answer(500)
  clock.advance(500)
  await bench.idle()
  const kinds = async () =>
    (await bench.databases.read.selectFrom('job').select('kind').orderBy('kind').execute()).map(({ kind }) => kind)
  t.strictSame(await kinds(), ['simulator.status', 'simulator.webhook'])
  await sandbox.service.reset(member, {})
  t.strictSame(await kinds(), [])
})

t.test('statuses of one moment share a webhook if configured', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.configure(member, { body: { batch: true } })
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  for (const text of ['uno', 'dos', 'tres']) await bench.post(textTo(customer, text))
  bench.delivered.length = 0
  clock.advance(500)
  await bench.idle()
  t.strictSame(
    bench.delivered.map(({ json }) => json.entry[0].changes[0].value.statuses.length),
    [3],
  )
})
