import t from 'tap'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { createPricingReader } from '#server/whatsapp/management/pricing-analytics.ts'
import { sandboxBench } from '#test/helpers/sandbox.ts'

t.test("the product's own client checks, subscribes, sends and reads", async t => {
  const bench = await sandboxBench(t)
  const { number, sandbox, member } = bench
  const baseUrl = `${await bench.app.listen({ port: 0, host: '127.0.0.1' })}/sandbox/graph`
  const client = createCloudNumber({ ...number, baseUrl, version: 'v25.0' })
  t.same(await client.check(), { phone: number.phone, verifiedName: number.verifiedName })
  await client.subscribe()
  const { wamid } = await sandbox.service.inbound(member, { body: { from: '5491155551234', text: 'hola' } })
  await client.markRead(wamid as string, { typing: true })
  t.match(
    await client.send({
      to: '5491155551234',
      content: { type: 'text', text: 'Buenas https://x.y' },
      callback: 'job',
      replyToWamid: wamid as string,
    }),
    { wamid: /^wamid\./, waId: '5491155551234', bsuid: /^AR\./ },
  )
  t.match(await sandbox.service.listOutbox(member, { query: {} }), {
    items: [{ callback: 'job', body: /"preview_url":true/ }],
  })
  await t.rejects(client.send({ to: '5491155900190', content: { type: 'text', text: 'x' }, callback: 'b' }), {
    code: '190',
    retry: 'credentials',
  })
  await t.rejects(client.send({ to: '5491155900603', content: { type: 'text', text: 'x' }, callback: 'c' }), {
    name: 'WhatsAppError',
    code: 'UNCONFIRMED',
  })
  await t.rejects(
    createCloudNumber({ ...number, accessToken: 'EAAwrong', appSecret: undefined, baseUrl, version: 'v25.0' }).check(),
    { code: '190' },
  )
  await t.rejects(createCloudNumber({ ...number, wabaId: '123456789012345', baseUrl, version: 'v25.0' }).check(), {
    name: 'WhatsAppError',
  })
})

t.test('nodes return their default fields, or the requested ones', async t => {
  const bench = await sandboxBench(t)
  const { number, get } = bench
  t.match((await get(number.phoneNumberId)).json, {
    id: number.phoneNumberId,
    verified_name: 'Test Number',
    code_verification_status: 'VERIFIED',
    display_phone_number: /^\+54 9 11 70/,
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
  })
  t.same((await get(`${number.phoneNumberId}?fields=status,throughput{level}`)).json, {
    status: 'CONNECTED',
    throughput: { level: 'STANDARD' },
    id: number.phoneNumberId,
  })
  t.match((await get(`${number.phoneNumberId}?fields=foo`)).json, {
    error: {
      code: 100,
      message: '(#100) Tried accessing nonexisting field (foo) on node type (WhatsAppBusinessPhoneNumber)',
    },
  })
  for (const field of ['constructor', 'toString', '__proto__'])
    t.match((await get(`${number.phoneNumberId}?fields=${field}`)).json, {
      error: { code: 100, message: `(#100) Tried accessing nonexisting field (${field}) on node type (WhatsApp` },
    })
  t.match((await get(`${number.wabaId}?fields=country,currency`)).json, {
    country: 'AR',
    currency: 'USD',
    id: number.wabaId,
  })
  const list = (await get(`${number.wabaId}/phone_numbers?fields=id`)).json
  t.same(list.data, [{ id: number.phoneNumberId }])
  t.same((await get(`${number.wabaId}/phone_numbers?after=${encodeURIComponent(list.paging.cursors.after)}`)).json, {
    data: [],
  })
  t.match((await get(`debug_token?input_token=${number.accessToken}`)).json, {
    data: { is_valid: true, expires_at: 0, scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'] },
  })
  t.match((await get('debug_token?input_token=x')).json, { data: { is_valid: false } })
})

t.test('an account says what its delivered messages cost', async t => {
  const bench = await sandboxBench(t)
  const { number, databases } = bench
  const baseUrl = `${await bench.app.listen({ port: 0, host: '127.0.0.1' })}/sandbox/graph`
  const client = createCloudNumber({ ...number, baseUrl, version: 'v25.0' })
  await client.subscribe()
  await bench.sandbox.service.inbound(bench.member, { body: { from: '5491155551234', text: 'hola' } })
  for (const text of ['Buenas', 'Sí'])
    await client.send({ to: '5491155551234', content: { type: 'text', text }, callback: text })
  await databases.write
    .updateTable('sandbox_message')
    .set({ status: 'delivered' })
    .where('direction', '=', 'out')
    .execute()
  const reader = createPricingReader({ ...number, baseUrl, version: 'v25.0' })
  const found = await databases.read.selectFrom('sandbox_message').select('at_ms').executeTakeFirstOrThrow()
  const dayMs = 86_400_000
  const range = { startMs: found.at_ms - dayMs, endMs: found.at_ms + dayMs }
  const free = { country: 'AR', category: 'service', type: 'free_customer_service', volume: 2, cost: 0 }
  t.match(await reader.read(range), { currency: 'USD', prices: [free] })
  const { seq: _, ...row } = await databases.read
    .selectFrom('sandbox_message')
    .selectAll()
    .where('direction', '=', 'out')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: 1_001 }, (_, i) => ({ ...row, wamid: `wamid.more${i}` }))
  for (const part of [more.slice(0, 500), more.slice(500)])
    await databases.write.insertInto('sandbox_message').values(part).execute()
  t.match(
    (await reader.read(range)).prices,
    [
      { ...free, volume: 1_000 },
      { ...free, type: 'regular', volume: 3, cost: 0.078 },
    ],
    'a thousand a month are free',
  )
  t.same((await reader.read({ startMs: found.at_ms - 3 * dayMs, endMs: found.at_ms - 2 * dayMs })).prices, [])
})

t.test('without a subscription no webhook is sent', async t => {
  const bench = await sandboxBench(t)
  const { number, sandbox, member, app, delivered } = bench
  const headers = { authorization: `Bearer ${number.accessToken}` }
  const url = `/sandbox/graph/${number.wabaId}/subscribed_apps`
  t.match((await bench.get(`${number.wabaId}/subscribed_apps`)).json, {
    data: [{ whatsapp_business_api_data: { id: /^\d{16}$/ } }],
  })
  t.same((await app.inject({ method: 'DELETE', url, headers })).json(), { success: true })
  t.same((await bench.get(`${number.wabaId}/subscribed_apps`)).json, { data: [] })
  t.match(await sandbox.service.inbound(member, { body: { from: '5491155551234', text: 'hola' } }), { status: 0 })
  t.same(delivered, [])
  t.same((await app.inject({ method: 'POST', url, headers })).json(), { success: true })
  t.match(await sandbox.service.inbound(member, { body: { from: '5491155551234', text: 'hola' } }), { status: 200 })
})

t.test('every version is served and named, an expired one by the oldest supported one', async t => {
  const bench = await sandboxBench(t)
  const headers = { authorization: `Bearer ${bench.number.accessToken}` }
  for (const [path, version] of [
    ['v26.0/', 'v26.0'],
    ['', 'v25.0'],
    ['v19.0/', 'v21.0'],
  ] as const) {
    const reply = await bench.app.inject({ url: `/sandbox/graph/${path}${bench.number.wabaId}`, headers })
    t.equal(reply.statusCode, 200)
    t.equal(reply.headers['facebook-api-version'], version)
  }
})

t.test('unknown objects, edges, methods and files are refused', async t => {
  const bench = await sandboxBench(t)
  const { number, get, post } = bench
  const answers: [Promise<{ status: number; json: unknown }>, number, object][] = [
    [
      get('123'),
      400,
      {
        code: 100,
        error_subcode: 33,
        type: 'GraphMethodException',
        message: /^Unsupported get request. Object with ID '123' does not exist/,
      },
    ],
    [post({}, number.wabaId), 400, { code: 100, error_subcode: 33, message: /^Unsupported post request/ }],
    [get(`${number.phoneNumberId}/messages`), 400, { code: 100, error_subcode: 33 }],
    [
      get(`${number.wabaId}/message_nothings`),
      400,
      { code: 2500, message: 'Unknown path components: /message_nothings' },
    ],
    [get('me'), 400, { code: 2500 }],
    [get(''), 400, { code: 2500 }],
    [get('whatsapp_business/attachments/?mid=1'), 404, {}],
  ]
  for (const [answer, status, error] of answers) {
    const said = await answer
    t.equal(said.status, status)
    t.match(said.json, { error: { ...error, fbtrace_id: /^A[\w-]{22}$/ } })
  }
})
