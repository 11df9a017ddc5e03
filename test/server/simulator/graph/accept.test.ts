import t from 'tap'
import { Compile } from 'typebox/compile'
import { ErrorEnvelope, SendReply } from '#server/whatsapp/graph/wire.ts'
import { type Delivered, sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const isError = Compile(ErrorEnvelope)
const isSendReply = Compile(SendReply)

t.test('a reply has Meta’s shape and repeats the input as written', async t => {
  const bench = await sandboxBench(t)
  for (const [to, waId] of [
    ['+54 9 11 5555-1234', customer],
    ['541155551234', customer],
    ['1155551234', customer],
    ['525512345678', '5215512345678'],
    ['551187654321', '5511987654321'],
  ] as const) {
    const { status, json, headers } = await bench.post(textTo(to))
    t.equal(status, 200)
    t.ok(isSendReply.Check(json))
    t.match(json, {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: waId, user_id: /^[A-Z]{2}\.\d+$/ }],
      messages: [{ id: /^wamid\.HBg/ }],
    })
    t.match(headers, {
      'facebook-api-version': 'v25.0',
      'content-type': 'application/json; charset=UTF-8',
      'x-fb-trace-id': /^A/,
    })
    t.match(JSON.parse(String(headers['x-business-use-case-usage'])), { [bench.number.wabaId]: [{ type: 'whatsapp' }] })
  }
})

t.test('checks run in order, each with its code, status and text', async t => {
  const bench = await sandboxBench(t)
  const { number, app } = bench
  const path = `/sandbox/graph/v25.0/${number.phoneNumberId}/messages`
  const raw = async (headers: Record<string, string>, payload = JSON.stringify(textTo(customer)), url = path) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload })

  const garbage = await raw({ authorization: 'Bearer nonsense' })
  t.equal(garbage.statusCode, 401)
  t.match(garbage.json(), {
    error: {
      code: 190,
      type: 'OAuthException',
      message: 'Invalid OAuth access token - Cannot parse access token',
      fbtrace_id: /^A[\w-]{22}$/,
    },
  })
  t.match(garbage.headers['www-authenticate'], /^OAuth "Facebook Platform" "invalid_token"/)
  t.equal((await raw({})).statusCode, 401)
  t.equal(
    (await raw({ authorization: `Bearer ${number.accessToken}` }, undefined, `${path}?appsecret_proof=00`)).json().error
      .message,
    'Invalid appsecret_proof provided in the API argument',
  )

  const refused: [unknown, number, number, RegExp, string?][] = [
    ['{"messaging_product":"whats', 400, 100, /messaging_product is required/],
    [{ to: customer, text: { body: 'x' } }, 400, 100, /messaging_product is required/],
    [textTo(''), 400, 100, /parameter to is required/],
    [textTo('hola'), 400, 131009, /'to' is not a valid phone number/],
    [textTo(number.phone), 400, 131021, /Recipient cannot be sender/],
    [{ messaging_product: 'whatsapp', recipient: 'no', text: { body: 'x' } }, 400, 131009, /business-scoped/],
    [{ messaging_product: 'whatsapp', recipient: 'AR.123456789', text: { body: 'x' } }, 400, 131026, /undeliverable/],
    [textTo(customer, 'x', { recipient_type: 'group' }), 400, 100, /recipient_type/],
    [textTo(customer, 'x', { type: 'poll' }), 400, 100, /Param type must be one of/],
    [textTo(customer, ''), 400, 100, /text\['body'\] is required/],
    [{ ...textTo(customer), type: 'image', image: { id: '123' } }, 400, 100, /Media ID 123 does not exist/],
    [
      { ...textTo(customer), type: 'template', template: { name: 'promo', language: { code: 'es' } } },
      404,
      132001,
      /template name \(promo\) does not exist in es/,
    ],
    [{ messaging_product: 'whatsapp', status: 'read' }, 400, 131008, /message_id/],
    [{ messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.x' }, 400, 131009, /message_id/],
    [{ messaging_product: 'whatsapp', status: 'delivered', message_id: 'wamid.x' }, 400, 100, /status/],
    [
      textTo(customer),
      400,
      100,
      /Unsupported post request. Object with ID '999999999999999' does not exist/,
      '999999999999999/messages',
    ],
    [textTo(customer), 400, 2500, /Unknown path components: \/foo/, `${number.phoneNumberId}/foo`],
  ]
  for (const [body, status, code, words, where] of refused) {
    const said = await bench.post(body, where)
    t.equal(said.status, status, JSON.stringify(body).slice(0, 90))
    t.ok(isError.Check(said.json), JSON.stringify(said.json))
    t.equal(said.json.error.code, code)
    t.match(JSON.stringify(said.json), words)
  }
  await bench.idle()
  t.same(bench.delivered, [], 'refused messages cause no webhook')
  t.match(await bench.sandbox.service.listOutbox(bench.member, { query: {} }), { total: 0 })
})

t.test('a number cannot be used with the token of another', async t => {
  const one = await sandboxBench(t)
  const two = await sandboxBench(t, { databases: one.databases })
  const said = await two.post(textTo(customer), `${one.number.phoneNumberId}/messages`)
  t.match(said.json, { error: { code: 100, error_subcode: 33, type: 'GraphMethodException' } })
  t.match((await two.get(one.number.wabaId)).json, { error: { code: 100, error_subcode: 33 } })
  t.not(one.number.phone, two.number.phone)
})

t.test('a business-scoped id reaches a customer who hides the number', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, delivered } = bench
  await sandbox.service.inbound(member, { body: { from: customer, name: 'Ana', username: '@ana', text: 'hola' } })
  const { from_user_id: bsuid } = (delivered[0] as Delivered).json.entry[0].changes[0].value.messages[0]
  const { json } = await bench.post({
    messaging_product: 'whatsapp',
    recipient: bsuid,
    type: 'text',
    text: { body: 'x' },
  })
  t.same(json.contacts, [{ input: bsuid, user_id: bsuid }])
  await sandbox.service.configure(member, { body: { statusDelayMs: 0 } })
  bench.clock.advance(1000)
  await bench.idle()
  const sent = delivered[1]?.json.entry[0].changes[0].value
  t.equal(sent.statuses[0].recipient_user_id, bsuid)
  t.notOk('recipient_id' in sent.statuses[0])
  t.notOk('wa_id' in sent.contacts[0])
  t.match(await sandbox.service.listOutbox(member, { query: { to: bsuid } }), { total: 1, items: [{ to: bsuid }] })
})

t.test('outside the window a message is accepted and fails, or is refused at once if configured', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock, delivered } = bench
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  clock.advance(24 * 3_600_000)
  t.equal((await bench.post(textTo(customer))).status, 200)
  clock.advance(1000)
  await bench.idle()
  t.match(delivered.at(-1)?.json.entry[0].changes[0].value.statuses, [
    {
      status: 'failed',
      errors: [
        {
          code: 131047,
          title: 'Re-engagement message',
          error_data: {
            details:
              'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
          },
        },
      ],
    },
  ])
  await sandbox.service.configure(member, { body: { reengagement: 'sync' } })
  t.match(await bench.post(textTo(customer)), { status: 400, json: { error: { code: 131047 } } })
})

t.test('a blocked customer, a customer who blocks, and the spelling of test numbers', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, number, delivered, clock } = bench
  await sandbox.service.inbound(member, { body: { from: customer, text: 'hola' } })
  const body = { messaging_product: 'whatsapp', block_users: [{ user: `+${customer}` }, { user: '5491155550000' }] }
  const blocked = await bench.post(body, `${number.phoneNumberId}/block_users`)
  t.match(blocked.json, {
    block_users: {
      added_users: [{ input: `+${customer}`, wa_id: customer }],
      failed_users: [{ input: '5491155550000', errors: [{ code: 139100 }] }],
    },
    error: { code: 139100 },
  })
  t.match(await bench.post(textTo(customer)), { json: { error: { code: 130403 } } })
  t.match((await bench.get(`${number.phoneNumberId}/block_users`)).json, { data: [{ wa_id: customer }] })
  t.same(await sandbox.service.inbound(member, { body: { from: customer, text: 'hola?' } }), { wamid: null, status: 0 })

  await sandbox.service.inbound(member, { body: { from: '5491155559999', text: 'hola' } })
  await sandbox.service.setPresence(member, { body: { from: '5491155559999', blocked: true } })
  t.equal((await bench.post(textTo('5491155559999'))).status, 200)
  clock.advance(1000)
  await bench.idle()
  t.match(delivered.at(-1)?.json.entry[0].changes[0].value.statuses, [{ status: 'failed', errors: [{ code: 131026 }] }])

  await sandbox.service.configure(member, { body: { allowListMode: true } })
  t.match(await bench.post(textTo('5491155558888')), { json: { error: { code: 131030 } } })
  t.equal((await bench.post(textTo('541155558888'))).status, 200)
})

t.test('limits apply when they are on, and recover with time', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.configure(member, { body: { pairLimit: true } })
  for (let i = 0; i < 45; i += 1) t.equal((await bench.post(textTo(customer))).status, 200)
  t.match(await bench.post(textTo(customer)), { status: 400, json: { error: { code: 131056 } } })
  t.equal((await bench.post(textTo('5491155559999'))).status, 200, 'other customers are not affected')
  clock.advance(6000)
  t.equal((await bench.post(textTo(customer))).status, 200)
  await sandbox.service.configure(member, { body: { pairLimit: false, throughputLimit: true } })
  const all = []
  for (let i = 0; i < 81; i += 1) all.push((await bench.post(textTo(customer))).json.error?.code)
  t.same(all.filter(Boolean), [130429])
})

t.test('reading marks earlier messages too, and shows that somebody is writing', async t => {
  const bench = await sandboxBench(t)
  const { sandbox, member, clock } = bench
  await sandbox.service.inbound(member, { body: { from: customer, text: 'uno' } })
  const { wamid } = await sandbox.service.inbound(member, { body: { from: customer, text: 'dos' } })
  const body = { messaging_product: 'whatsapp', status: 'read', message_id: wamid, typing_indicator: { type: 'text' } }
  t.same((await bench.post(body)).json, { success: true })
  const read = await bench.databases.read
    .selectFrom('sandbox_message')
    .select('status')
    .where('direction', '=', 'in')
    .execute()
  t.same(
    read.map(row => row.status),
    ['read', 'read'],
  )
  t.match(await sandbox.service.listCustomers(member, {}), {
    items: [{ waId: customer, typingShown: true, windowClosesAt: '2026-11-21T13:00:00.000Z' }],
  })
  clock.advance(25_000)
  t.match(await sandbox.service.listCustomers(member, {}), { items: [{ typingShown: false }] })
})
