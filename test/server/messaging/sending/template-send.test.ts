import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const customer = '5491155550123'
const stranger = '5491155550999'

interface Person {
  cookie: string
}

const setUp = async (t: Parameters<typeof startBackend>[0]) => {
  const backend = await startBackend(t)
  const who = await aMember({ databases: backend.databases })
  const as = (person: Person) => async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: person.cookie, 'accept-language': 'es' },
      ...(payload ? { payload } : {}),
    })
    return { status: reply.statusCode, json: reply.body ? reply.json() : undefined }
  }
  const ask = as(who)
  await ask('POST', '/whatsapp/connection/sandbox')
  await ask('POST', '/whatsapp/template/sync')
  await backend.settle()
  const send = (more: object = {}) =>
    ask('POST', '/whatsapp/messages', {
      type: 'template',
      template: 'pedido_listo',
      phones: [customer],
      numberTel: customer,
      bodyExample: ['Ana', '1042'],
      ...more,
    })
  const settle = async () => {
    for (let i = 0; i < 3; i += 1) {
      await backend.settle()
      backend.clock.advance(60_000)
    }
    await backend.settle()
  }
  return { backend, who, as, ask, send, settle }
}

const text = 'Hola Ana, tu pedido 1042 ya está listo para retirar. ¡Te esperamos!'

t.test('a template to a new number creates the conversation and shows its text in thread and phone', async t => {
  const { backend, ask, send, settle } = await setUp(t)
  const sent = await send()
  t.equal(sent.status, 202, JSON.stringify(backend.lines))
  t.match(sent.json, {
    type: 'template',
    text,
    status: 'queued',
    template: {
      name: 'pedido_listo',
      language: 'es_AR',
      header: null,
      footer: null,
      buttons: [{ text: 'Voy para allá' }, { text: 'Mañana paso' }],
    },
  })
  await settle()
  const { json: chats } = await ask('GET', '/whatsapp/conversations')
  t.match(chats.items, [{ phone: customer, lastMessage: { text, type: 'template' }, windowClosesAt: null }])
  const { json: thread } = await ask('GET', `/whatsapp/chats/${customer}`)
  t.match(thread.items, [{ activity: { kind: 'assigned' } }, { text, status: /delivered|read/ }])
  const { json: phone } = await ask('GET', `/sandbox/customers/${customer}/messages`)
  t.match(phone.items, [{ type: 'template', text, choices: [{ kind: 'quickReply', title: 'Voy para allá' }, {}] }])
  const { json: outbox } = await ask('GET', '/sandbox/outbox')
  t.match(JSON.parse(outbox.items[0].body), {
    type: 'template',
    template: {
      name: 'pedido_listo',
      language: { code: 'es_AR' },
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }, { text: '1042' }] }],
    },
  })
  const { json: used } = await ask('GET', '/whatsapp/template/name/pedido_listo')
  t.equal(used.uses, 1)
})

t.test('a tap on its quick reply comes back as a choice and opens the window', async t => {
  const { ask, send, settle } = await setUp(t)
  await send()
  await settle()
  const { json: phone } = await ask('GET', `/sandbox/customers/${customer}/messages`)
  const [message] = phone.items
  const [choice] = message.choices
  await ask('POST', '/sandbox/inbound', {
    from: customer,
    type: 'button',
    choiceId: choice.id,
    choiceTitle: choice.title,
    replyToWamid: message.wamid,
  })
  await settle()
  const { json: thread } = await ask('GET', `/whatsapp/chats/${customer}`)
  t.match(thread.items.at(-1), {
    type: 'choice',
    choice: { kind: 'quickReply', title: 'Voy para allá' },
    replyTo: { text },
  })
  t.equal((await ask('POST', '/whatsapp/messages', { message: 'Hola', numberTel: customer })).status, 202)
})

t.test('values that do not fit are refused by their field, and nothing is sent', async t => {
  const { ask, send, backend } = await setUp(t)
  const bad: [object, string][] = [
    [{ template: undefined }, 'body.template'],
    [{ phones: undefined }, 'body.phones'],
    [{ bodyExample: undefined }, 'body.bodyExample'],
    [{ phones: [customer, stranger] }, 'body.phones'],
    [{ phones: [stranger] }, 'body.phones'],
    [{ bodyExample: ['Ana'] }, 'body.bodyExample.1'],
    [{ bodyExample: ['Ana', ' '] }, 'body.bodyExample.1'],
    [{ bodyExample: ['Ana', 'dos\nlíneas'] }, 'body.bodyExample.1'],
    [{ bodyExample: ['Ana', '1', '2'] }, 'body.bodyExample'],
    [{ bodyExample: { 1: 'Ana', 2: '1', nombre: 'x' } }, 'body.bodyExample.nombre'],
    [{ bodyExample: ['Ana', 'x'.repeat(1020)] }, 'body.bodyExample'],
    [{ image: 'https://x.y/a.png' }, 'body.image'],
    [{ location: { latitude: 1, longitude: 1 } }, 'body.location'],
    [{ numberTel: 'AR.404', phones: ['AR.404'] }, 'body.numberTel'],
  ]
  for (const [more, field] of bad) {
    const { status, json } = await send(more)
    t.match(
      { status, fields: json.details?.map((one: { field: string }) => one.field) },
      { status: 400, fields: [field] },
      JSON.stringify(more).slice(0, 80),
    )
  }
  await backend.settle()
  t.same((await ask('GET', '/whatsapp/conversations')).json.items, [])
  t.same((await ask('GET', '/sandbox/outbox')).json.items, [])
})

t.test('an expired offer is refused by its field, and a future one is sent', async t => {
  const { ask, send, backend, settle } = await setUp(t)
  const made = await ask('POST', '/whatsapp/template', {
    template: {
      ...{ name: 'oferta', language: 'es_AR', category: 'MARKETING' },
      components: [
        { type: 'BODY', text: 'Dos por uno en facturas.' },
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Solo hoy', has_expiration: true } },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://example.com/oferta' }] },
      ],
    },
  })
  backend.clock.advance(60_000)
  await ask('POST', `/sandbox/template/${made.json.id}`, { status: 'APPROVED' })
  await backend.settle()
  await ask('POST', '/whatsapp/template/sync')
  const offered = (hours: number) =>
    send({
      template: 'oferta',
      bodyExample: [],
      offerEndsAt: new Date(backend.clock.now().getTime() + hours * 3_600_000).toISOString(),
    })
  const over = await offered(-1)
  t.match(over, { status: 400, json: { details: [{ field: 'body.offerEndsAt', code: 'offerOver' }] } })
  t.match(over.json.details[0].message, /La oferta ya venció/)
  t.equal((await offered(1)).status, 202)
  await settle()
  t.equal((await ask('GET', '/sandbox/outbox')).json.items.length, 1)
})

t.test('a customer who opted out gets no marketing template, but others', async t => {
  const { ask, send, backend, settle } = await setUp(t)
  t.equal((await send()).status, 202)
  await settle()
  t.equal((await ask('PUT', `/whatsapp/chats/${customer}/opt-out`, {})).status, 200)
  t.equal((await send()).status, 202, 'a utility template')
  const { json: template } = await ask('GET', '/whatsapp/template/name/pedido_listo')
  await ask('POST', `/sandbox/template/${template.id}`, { category: 'MARKETING' })
  await settle()
  const refused = await send()
  t.match(refused, { status: 409, json: { code: 'INBOX_OPTED_OUT', message: /no quiere marketing/ } })
  t.equal((await send({ numberTel: stranger, phones: [stranger] })).status, 202)
  await settle()
  t.equal((await ask('GET', '/sandbox/outbox')).json.items.length, 3)
  t.same(backend.errors(), [])
})

t.test('only approved templates are sent, in the requested language', async t => {
  const { ask, send, settle } = await setUp(t)
  t.match(await send({ template: 'nadie' }), { status: 404, json: { code: 'TEMPLATES_NOT_FOUND' } })
  t.match(await send({ language: 'en_US' }), { status: 404, json: { code: 'TEMPLATES_NOT_FOUND' } })
  const { json: template } = await ask('GET', '/whatsapp/template/name/pedido_listo')
  for (const [status, code] of [
    ['PAUSED', 'TEMPLATES_PAUSED'],
    ['DISABLED', 'TEMPLATES_DISABLED'],
    ['REJECTED', 'TEMPLATES_NOT_APPROVED'],
  ] as const) {
    await ask('POST', `/sandbox/template/${template.id}`, { status })
    await settle()
    t.match(await send(), { status: 409, json: { code } }, status)
  }
  await ask('POST', `/sandbox/template/${template.id}`, { status: 'APPROVED' })
  await settle()
  t.equal((await send({ template: template.id })).status, 202, 'by its id, too')
})

t.test('another organization’s template is not found', async t => {
  const { backend, as, ask } = await setUp(t)
  const other = await aMember({ databases: backend.databases })
  const theirs = as(other)
  await theirs('POST', '/whatsapp/connection/sandbox')
  const { json: template } = await ask('GET', '/whatsapp/template/name/pedido_listo')
  const { status, json } = await theirs('POST', '/whatsapp/messages', {
    type: 'template',
    template: template.id,
    phones: [customer],
    numberTel: customer,
    bodyExample: ['Ana', '1042'],
  })
  t.match({ status, code: json.code }, { status: 404, code: 'TEMPLATES_NOT_FOUND' })
})

t.test('a failed template is resent with the window closed, but never if it was partly sent', async t => {
  const { ask, send, settle } = await setUp(t)
  await ask('POST', '/sandbox/fail', { code: '131026', mode: 'async', count: 1 })
  const { json: failed } = await send()
  await settle()
  const thread = async () =>
    (await ask('GET', `/whatsapp/chats/${customer}`)).json.items.filter(
      ({ type }: { type: string }) => type !== 'activity',
    )
  t.match(await thread(), [{ id: failed.id, status: 'failed' }])
  t.equal((await ask('POST', `/whatsapp/messages/${failed.id}/retry`)).status, 202)
  await settle()
  t.match(await thread(), [{ id: failed.id, status: /delivered|read/ }])
  await ask('POST', '/sandbox/fail', { code: 'reset', count: 1 })
  const { json: half } = await send({ bodyExample: ['Ana', '2'] })
  await settle()
  t.match((await thread()).at(-1), { id: half.id, status: 'queued', unconfirmed: true })
  t.equal((await ask('POST', `/whatsapp/messages/${half.id}/retry`)).json.code, 'INBOX_MESSAGE_UNCONFIRMED')
})
