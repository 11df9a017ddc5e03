import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { aMember } from '#test/helpers/actors.ts'
import { type Delivered, plantConnection, sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const hour = 3_600_000

t.test('every call refuses an organization without the simulator', async t => {
  const bench = await sandboxBench(t)
  const { member } = await aMember({ databases: bench.databases })
  const { service } = bench.sandbox
  const calls = {
    getState: () => service.getState(member, {}),
    inbound: () => service.inbound(member, { body: { from: customer, text: 'hola' } }),
    actAsAgent: () => service.actAsAgent(member, { body: { from: customer, action: 'hold' } }),
    getToken: () => service.getToken(member, {}),
    configure: () => service.configure(member, { body: {} }),
    arm: () => service.arm(member, { body: { code: '500' } }),
    setPresence: () => service.setPresence(member, { body: { from: customer } }),
    moveClock: () => service.moveClock(member, { body: { advanceMs: 1 } }),
    listCustomers: () => service.listCustomers(member, {}),
    getThread: () => service.getThread(member, { params: { phone: customer }, query: {} }),
    decideTemplate: () => service.decideTemplate(member, { params: { id: '1' }, body: { status: 'APPROVED' } }),
    getFile: () => service.getFile(member, { params: { id: '1' } }),
    listOutbox: () => service.listOutbox(member, { query: {} }),
    reset: () => service.reset(member, {}),
  }
  // An organization that signs up has no simulator yet, so only the app is checked.
  t.same([...Object.keys(calls), 'signUp'].sort(), Object.keys(service).sort())
  await t.rejects(async () => service.signUp(member, { body: { appId: '1' } }), {
    code: 'SANDBOX_SIGNUP_OFF',
    status: 409,
  })
  for (const [name, call] of Object.entries(calls))
    await t.rejects(async () => call(), { code: 'SANDBOX_NOT_CONNECTED', status: 409 }, name)
})

t.test('two organizations cannot see or change each other’s data', async t => {
  const one = await sandboxBench(t)
  const two = await sandboxBench(t, { databases: one.databases })
  for (const bench of [one, two]) {
    await bench.sandbox.service.inbound(bench.member, { body: { from: customer, text: 'hola' } })
    await bench.post(textTo(customer))
  }
  await two.sandbox.service.arm(two.member, { body: { code: '500' } })
  await two.sandbox.service.configure(two.member, { body: { autoRead: false } })
  await two.sandbox.service.moveClock(two.member, { body: { advanceMs: 25 * hour } })
  await two.sandbox.service.reset(two.member, {})
  t.match(await one.sandbox.service.getState(one.member, {}), {
    armed: [],
    behaviour: { autoRead: true },
    phone: one.number.phone,
  })
  t.match(await one.sandbox.service.listCustomers(one.member, {}), { items: [{ waId: customer, windowClosesAt: /./ }] })
  t.match(await one.sandbox.service.listOutbox(one.member, { query: {} }), { total: 1 })
  t.match(await two.sandbox.service.listOutbox(two.member, { query: {} }), { total: 0 })
  t.same(two.aged, [{ orgId: two.member.orgId, ms: 25 * hour }])
  t.same(one.aged, [])
})

t.test('moving the clock closes windows, expires media addresses and runs what is due', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, delivered } = bench
  await sandbox.service.inbound(member, { body: { from: customer, type: 'image' } })
  const { id } = (delivered[0] as Delivered).json.entry[0].changes[0].value.messages[0].image
  const { url } = (await bench.get(id)).json
  await bench.post(textTo(customer))
  const at = (await sandbox.service.listOutbox(member, { query: {} })).items[0]?.at
  await sandbox.service.moveClock(member, { body: { advanceMs: hour } })
  for (let i = 0; i < 3; i += 1) {
    await bench.idle()
    await sandbox.service.moveClock(member, { body: { advanceMs: hour } })
  }
  t.same(
    delivered.slice(1).map(({ json }) => json.entry[0].changes[0].value.statuses[0].status),
    ['sent', 'delivered', 'read'],
  )
  const file = await bench.app.inject({
    url: url.replace('http://localhost:80', ''),
    headers: { authorization: `Bearer ${bench.number.accessToken}` },
  })
  t.equal(file.statusCode, 404)
  t.equal(
    Date.parse(at as string) -
      Date.parse((await sandbox.service.listOutbox(member, { query: {} })).items[0]?.at as string),
    4 * hour,
  )
  t.match(await sandbox.service.listCustomers(member, {}), { items: [{ windowClosesAt: '2026-11-21T09:00:00.000Z' }] })
  await sandbox.service.moveClock(member, { body: { advanceMs: 20 * hour } })
  t.match(await sandbox.service.listCustomers(member, {}), { items: [{ windowClosesAt: null }] })
  await sandbox.service.moveClock(member, { body: { advanceMs: 7 * 24 * hour } })
  t.match((await bench.get(id)).json, { error: { error_subcode: 33 } })
})

t.test('the outbox lists newest first, by customer in any spelling', async t => {
  const bench = await sandboxBench(t)
  for (const to of [customer, '5491155559999', customer]) await bench.post(textTo(to, `a ${to}`))
  const list = (query: object) => bench.sandbox.service.listOutbox(bench.member, { query })
  t.same(
    (await list({})).items.map(item => item.to),
    [customer, '5491155559999', customer],
  )
  t.match(await list({ to: '+54 9 11 5555-9999' }), { total: 1, items: [{ body: /a 5491155559999/ }] })
  t.match(await list({ limit: 1 }), { total: 3, items: { length: 1 } })
  t.same(await list({ to: 'AR.1' }), { items: [], total: 0 })
})

t.test('connecting again keeps the number and its messages, with new secrets', async t => {
  const bench = await sandboxBench(t)
  const { databases, sandbox, member, number } = bench
  await bench.post(textTo(customer))
  await databases.write.deleteFrom('wa_connection').where('org_id', '=', member.orgId).execute()
  const again = await inTransaction(databases, trx => sandbox.provision(trx, member.orgId))
  t.match(again, { phone: number.phone, phoneNumberId: number.phoneNumberId, wabaId: number.wabaId })
  t.not(again.accessToken, number.accessToken)
  t.not(again.appSecret, number.appSecret)
  t.match(await bench.post(textTo(customer)), { status: 401 }, 'the old token is refused')
  await sandbox.bind(member.orgId, await plantConnection(databases, member.orgId, again))
  t.match(await sandbox.service.listOutbox(member, { query: {} }), { total: 1 })
})

t.test('neither token nor secret is readable in the database', async t => {
  const { databases, number } = await sandboxBench(t)
  const rows = JSON.stringify(await databases.read.selectFrom('sandbox_number').selectAll().execute())
  t.notOk(rows.includes(number.accessToken))
  t.notOk(rows.includes(number.appSecret))
})
