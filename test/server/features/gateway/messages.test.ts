import t from 'tap'
import { Compile } from 'typebox/compile'
import { ErrorEnvelope, SendReply } from '#server/whatsapp/graph/wire.ts'
import { gatewayCustomer, gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const isError = Compile(ErrorEnvelope)
const isSendReply = Compile(SendReply)

const interactive = (part: object) => ({ type: 'interactive', interactive: part })
const kinds: readonly [object, object][] = [
  [{ text: { body: 'Hola *Ana*', preview_url: false } }, { type: 'text', text: 'Hola *Ana*' }],
  [
    { type: 'image', image: { link: 'https://shop.example/a.png', caption: 'La torta' } },
    { type: 'text', text: 'La torta\nhttps://shop.example/a.png' },
  ],
  [
    { type: 'location', location: { latitude: '-34.6', longitude: '-58.4', name: 'Local' } },
    { type: 'location', location: { latitude: -34.6, longitude: -58.4, name: 'Local' } },
  ],
  [
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Ana Paz', first_name: 'Ana' }, phones: [{ phone: '+5491155551234' }] }],
    },
    { type: 'contacts', contacts: [{ name: 'Ana Paz', phones: ['+5491155551234'] }] },
  ],
  [
    interactive({
      type: 'button',
      header: { type: 'image', image: { link: 'https://shop.example/a.png' } },
      body: { text: '¿Te lo llevamos?' },
      action: { buttons: [{ type: 'reply', reply: { id: 'si', title: 'Sí' } }] },
    }),
    { type: 'interactive', text: '¿Te lo llevamos?', interactive: { buttons: [{ id: 'si', title: 'Sí' }] } },
  ],
  [
    interactive({
      type: 'list',
      header: { type: 'text', text: 'Panes' },
      body: { text: 'Elegí' },
      footer: { text: 'Hasta las 20' },
      action: { button: 'Ver', sections: [{ rows: [{ id: 'r1', title: 'Miñón', description: 'Caliente' }] }] },
    }),
    {
      type: 'interactive',
      interactive: {
        header: 'Panes',
        footer: 'Hasta las 20',
        list: { title: 'Ver', sections: [{ rows: [{ id: 'r1' }] }] },
      },
    },
  ],
  [
    interactive({
      type: 'cta_url',
      body: { text: 'Mirá' },
      action: { name: 'cta_url', parameters: { display_text: 'Abrir', url: 'https://shop.example/x' } },
    }),
    { type: 'interactive', interactive: { link: { title: 'Abrir', url: 'https://shop.example/x' } } },
  ],
  [
    interactive({
      type: 'flow',
      body: { text: 'Reservá' },
      action: {
        name: 'flow',
        parameters: { flow_message_version: '3', flow_id: '123', flow_cta: 'Reservar', flow_action: 'navigate' },
      },
    }),
    { type: 'interactive', text: 'Reservá', interactive: { buttons: [{ id: '123', title: 'Reservar' }] } },
  ],
  [
    interactive({
      type: 'location_request_message',
      body: { text: '¿Dónde estás?' },
      action: { name: 'send_location' },
    }),
    { type: 'interactive', text: '¿Dónde estás?' },
  ],
]

t.test(
  'each kind is answered as Meta does, stands in the thread under the key, and leaves as it was written',
  async t => {
    const { send, say, thread, backend, databases } = await gatewayStage(t)
    await say('Buenas')
    for (const [message, shown] of kinds) {
      const { status, body, headers } = await send(message)
      t.equal(status, 200, JSON.stringify(body))
      t.ok(isSendReply.Check(body))
      t.match(body, {
        contacts: [{ input: gatewayCustomer, wa_id: gatewayCustomer }],
        messages: [{ id: /^wamid\.HBg/ }],
      })
      t.match(headers, { 'facebook-api-version': 'v25.0', 'content-type': 'application/json; charset=UTF-8' })
      await backend.settle()
      const last = (await thread()).at(-1)
      t.match(last, { ...shown, direction: 'out', author: { kind: 'api', name: 'Bot' } })
      t.match(last.wamid, /^wamid/, 'Meta has it')
      const { body: sent } = await databases.read
        .selectFrom('sandbox_message')
        .select('body')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow()
      t.match(JSON.parse(sent), message, 'what Meta got')
    }
    t.same(backend.errors(), [])
  },
)

t.test('a reply quotes, a reaction reacts, read and typing reach the customer', async t => {
  const { send, graph, number, say, thread, backend, databases } = await gatewayStage(t)
  await say('Buenas')
  const inbound = (await thread()).findLast(one => one.direction === 'in')
  const first = (await send({ text: { body: 'uno' } })).body.messages[0].id
  await backend.settle()
  t.equal((await send({ text: { body: 'dos' }, context: { message_id: first } })).status, 200)
  t.equal((await send({ text: { body: 'tres' }, context: { message_id: inbound.wamid } })).status, 200)
  await backend.settle()
  const [two, three] = (await thread()).slice(-2)
  t.match(two.replyTo, { text: 'uno' })
  t.match(three.replyTo, { id: inbound.id })
  for (const [id, target] of [
    [inbound.wamid, inbound.id],
    [first, two.replyTo.id],
  ]) {
    const reacted = await send({ type: 'reaction', reaction: { message_id: id, emoji: '👍' } })
    t.match(reacted, { status: 200, body: { messages: [{ id: /^wamid\./ }] } })
    t.match((await thread()).find(one => one.id === target).reactions, [{ emoji: '👍', by: 'us' }])
  }
  const receipt = (more: object) =>
    graph('POST', `${number}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: inbound.wamid,
      ...more,
    })
  t.match(await receipt({}), { status: 200, body: { success: true } })
  t.match(await receipt({ typing_indicator: { type: 'text' } }), { status: 200, body: { success: true } })
  await backend.settle()
  const customer = await databases.read.selectFrom('sandbox_customer').selectAll().executeTakeFirstOrThrow()
  t.ok(customer.typing_until_ms)
  t.match(await receipt({ message_id: 'wamid.unknown' }), { status: 400, body: { error: { code: 131009 } } })
  t.match(await receipt({ message_id: first }), { status: 400, body: { error: { code: 131009 } } }, 'a message of ours')
})

t.test('the same idempotency-key is one message', async t => {
  const { send, say, thread, backend } = await gatewayStage(t)
  await say('Buenas')
  const before = (await thread()).length
  const once = { 'idempotency-key': 'order-1' }
  const first = await send({ text: { body: 'Listo' } }, once)
  const again = await send({ text: { body: 'Listo' } }, once)
  t.equal(again.status, 200)
  t.same(again.body, first.body)
  t.match(await send({ text: { body: 'Otro' } }, once), { status: 409, body: { error: { code: 100 } } })
  await backend.settle()
  t.equal((await thread()).length, before + 1)
})

t.test('refusals are Meta’s, with code, text and details', async t => {
  const { send, graph, number, say, key, backend } = await gatewayStage(t)
  const text = { text: { body: 'Hola' } }
  const refused = async (work: ReturnType<typeof graph>, status: number, error: object, about: string) => {
    const reply = await work
    t.equal(reply.status, status, about)
    t.ok(isError.Check(reply.body), about)
    t.match(reply.body.error, { fbtrace_id: /^A[\w-]{22}$/, ...error }, about)
  }
  const path = `${number}/messages`
  const body = { messaging_product: 'whatsapp', to: gatewayCustomer, ...text }
  await refused(send(text), 400, { code: 131047, error_data: { details: /24 hours/ } }, 'the customer never wrote')
  await say('Buenas')
  await refused(graph('POST', path, body, {}), 401, { code: 104 }, 'no token')
  await refused(graph('POST', path, body, { authorization: 'Bearer EAAnonsense' }), 401, { code: 190 }, 'no key')
  await refused(graph('POST', path, body, { authorization: `Bearer ${key}x` }), 401, { code: 190 }, 'another key')
  await refused(graph('POST', '123/messages', body), 400, { code: 100, error_subcode: 33 }, 'no number of ours')
  await refused(graph('POST', `${number}/nothing`, body), 400, { code: 2500 }, 'an edge that Meta does not have')
  await refused(graph('GET', path), 400, { code: 100, error_subcode: 33 }, 'not for GET')
  await refused(graph('POST', path, {}), 400, { code: 100, message: /messaging_product/ }, 'no product')
  await refused(send({ ...text, to: undefined }), 400, { code: 100 }, 'no recipient')
  await refused(send({ ...text, to: '12' }), 400, { code: 131009 }, 'no number')
  await refused(send({ type: 'hologram' }), 400, { code: 100, message: /\{AUDIO, .*got "hologram"/ }, 'no type')
  await refused(send({ text: { body: 'x'.repeat(4097) } }), 400, { code: 100, error_data: { details: /4096/ } }, 'long')
  await refused(send({ text: { body: 'a\u0000b' } }), 400, { code: 100 }, 'text that cannot be stored')
  await refused(send({ text: { body: 'x' }, context: { message_id: 'wamid.x' } }), 400, { code: 131009 }, 'no quote')
  await refused(
    send({ type: 'template', template: { name: 'nada', language: { code: 'es_AR' } } }),
    404,
    { code: 132001, error_data: { details: 'template name (nada) does not exist in es_AR' } },
    'no template',
  )
  t.same(backend.errors(), [])
})

t.test('a key that may only read sends nothing, and its calls are listed', async t => {
  const { send, say, call, backend } = await gatewayStage(t, { scopes: ['chat:read'] })
  await say('Buenas')
  t.match(await send({ text: { body: 'x' } }), { status: 403, body: { error: { code: 10 } } })
  await backend.settle()
  const { items } = (await call('GET', '/organization/api-calls')).body
  t.match(items[0], { method: 'POST', route: '/graph/*', status: 403 })
})

t.test('a template is filled in with what the program gave; who opted out gets no marketing', async t => {
  const { send, call, say, thread, backend, databases } = await gatewayStage(t)
  const create = (name: string, category: string) =>
    call('POST', '/whatsapp/template', {
      template: {
        name,
        language: 'es_AR',
        category,
        components: [
          {
            type: 'BODY',
            text: 'Hola {{1}}, tu pedido {{2}} está listo hoy.',
            example: { body_text: [['Ana', 'A1']] },
          },
          { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Gracias' }] },
        ],
      },
    })
  await create('aviso_pedido', 'UTILITY')
  await create('promo', 'MARKETING')
  backend.clock.advance(3_600_000)
  await backend.settle()
  await call('POST', '/whatsapp/template/sync')
  await say('Buenas')
  const template = (name: string, values: string[], more: object[] = []) => ({
    type: 'template',
    template: {
      name,
      language: { code: 'es_AR', policy: 'deterministic' },
      components: [{ type: 'body', parameters: values.map(text => ({ type: 'text', text })) }, ...more],
    },
  })
  const payload = {
    type: 'button',
    sub_type: 'quick_reply',
    index: 0,
    parameters: [{ type: 'payload', payload: 'OK_1' }],
  }
  const sent = await send(template('aviso_pedido', ['Ana', 'A7'], [payload]))
  t.equal(sent.status, 200, JSON.stringify(sent.body))
  await backend.settle()
  t.match((await thread()).at(-1), { type: 'template', text: 'Hola Ana, tu pedido A7 está listo hoy.' })
  const row = await databases.read
    .selectFrom('sandbox_message')
    .select('body')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  t.match(JSON.parse(row.body).template.components, [
    { type: 'body' },
    { sub_type: 'quick_reply', parameters: [{ payload: 'OK_1' }] },
  ])
  t.match(await send(template('aviso_pedido', ['Ana'])), { status: 400, body: { error: { code: 132000 } } })
  t.equal((await send(template('promo', ['Ana', 'A7']))).status, 200)
  t.match(await call('PUT', `/whatsapp/chats/${gatewayCustomer}/opt-out`, { reason: 'Pidió no recibir' }), {
    status: 200,
    body: { optOut: {} },
  })
  t.match(await send(template('promo', ['Ana', 'A7'])), { status: 400, body: { error: { code: 131050 } } })
  t.equal((await send(template('aviso_pedido', ['Ana', 'A7']))).status, 200, 'a utility template')
})
