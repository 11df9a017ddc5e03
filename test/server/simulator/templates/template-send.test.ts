import t from 'tap'
import { sandboxBench } from '#test/helpers/sandbox.ts'

t.test('an approved template is accepted without an open window, with exactly the values it needs', async t => {
  const { post, get, number } = await sandboxBench(t)
  await get(`${number.wabaId}/message_templates`)
  const send = async (template: object) => {
    const { status, json } = await post({
      messaging_product: 'whatsapp',
      to: '5491155550101',
      type: 'template',
      template,
    })
    return status === 200 ? 200 : json.error.code
  }
  const text = (value: string) => ({ type: 'text', text: value })
  const body = (...values: string[]) => ({ components: [{ type: 'body', parameters: values.map(text) }] })
  const language = { code: 'es_AR' }
  t.equal(await send({ name: 'hello_world', language: { code: 'en_US' } }), 200)
  t.equal(await send({ name: 'hello_world', language }), 132001, 'in another language')
  t.equal(await send({ name: 'nadie', language }), 132001)
  t.equal(await send({ name: 'pedido_listo', language, ...body('Ana') }), 132000)
  t.equal(await send({ name: 'pedido_listo', language, ...body('Ana', '1042') }), 200)
})

t.test('values with line breaks, too long values and unknown buttons are refused like at Meta', async t => {
  const { post, get, number } = await sandboxBench(t)
  await get(`${number.wabaId}/message_templates`)
  const send = async (name: string, components: object[]) => {
    const template = { name, language: { code: 'es_AR' }, components }
    const message = { messaging_product: 'whatsapp', to: '5491155550101', type: 'template', template }
    const { status, json } = await post(message)
    return status === 200 ? 200 : json.error.code
  }
  const values = (...texts: string[]) => ({ type: 'body', parameters: texts.map(text => ({ type: 'text', text })) })
  t.equal(await send('pedido_listo', [values('Ana', 'a\nb')]), 132012)
  t.equal(await send('pedido_listo', [values('Ana', ' ')]), 132012)
  t.equal(await send('pedido_listo', [values('Ana', 'x'.repeat(1024))]), 132005)
  const press = { type: 'button', sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'P' }] }
  t.equal(await send('pedido_listo', [values('Ana', '1'), { ...press, index: '0' }]), 200)
  t.equal(await send('pedido_listo', [values('Ana', '1'), { ...press, index: '7' }]), 100)
})

t.test('a carousel is accepted only with complete values for each card', async t => {
  const { databases, post, get, number } = await sandboxBench(t)
  await get(`${number.wabaId}/message_templates`)
  const card = (text: string) => ({
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text },
    ],
  })
  const components = [
    { type: 'BODY', text: 'Lo de hoy.' },
    { type: 'CAROUSEL', cards: [card('De {{1}}, recién hecha.'), card('De chocolate.')] },
  ]
  await databases.write
    .updateTable('sandbox_template')
    .set({ components: JSON.stringify(components) })
    .where('name', '=', 'pedido_listo')
    .execute()
  const send = async (...cards: object[]) => {
    const template = { name: 'pedido_listo', language: { code: 'es_AR' }, components: [{ type: 'carousel', cards }] }
    const message = { messaging_product: 'whatsapp', to: '5491155550101', type: 'template', template }
    const { status, json } = await post(message)
    return status === 200 ? 200 : json.error.code
  }
  const header = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://x.example/a.jpg' } }] }
  const body = (text: string) => ({ type: 'body', parameters: [{ type: 'text', text }] })
  const last = { card_index: 1, components: [header] }
  t.equal(await send({ card_index: 0, components: [header, body('pera')] }, last), 200)
  t.equal(await send({ card_index: 0, components: [header, body('pera')] }), 132012, 'a card is missing')
  t.equal(await send({ card_index: 0, components: [header] }, last), 132000, 'a value is missing')
  t.equal(await send({ card_index: 0, components: [body('pera')] }, last), 132000, 'a picture is missing')
  t.equal(await send({ card_index: 0, components: [header, body('x'.repeat(160))] }, last), 132005)
})

t.test('offers, forms, products and orders are refused without their values, like at Meta', async t => {
  const { databases, post, get, number, clock } = await sandboxBench(t)
  await get(`${number.wabaId}/message_templates`)
  const send = async (components: object[], parts: object[]) => {
    await databases.write
      .updateTable('sandbox_template')
      .set({ components: JSON.stringify([{ type: 'BODY', text: 'Hola.' }, ...components]) })
      .where('name', '=', 'pedido_listo')
      .execute()
    const template = { name: 'pedido_listo', language: { code: 'es_AR' }, components: parts }
    const message = { messaging_product: 'whatsapp', to: '5491155550101', type: 'template', template }
    const { status, json } = await post(message)
    return status === 200 ? 200 : json.error.code
  }
  const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Hoy', has_expiration: true } }
  const ending = (expiration_time_ms: unknown) => ({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
  })
  const now = clock.now().getTime()
  t.equal(await send([offer], []), 132012)
  t.equal(await send([offer], [ending(now - 1)]), 131009)
  t.equal(await send([offer], [ending('mañana')]), 131009)
  t.equal(await send([offer], [ending(now + 60_000)]), 200)
  const button = (type: string) => [{ type: 'BUTTONS', buttons: [{ type, text: 'Ver' }] }]
  const part = { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action: {} }] }
  for (const type of ['FLOW', 'MPM', 'SPM', 'ORDER_DETAILS']) {
    t.equal(await send(button(type), []), 131008, type)
    t.equal(await send(button(type), [part]), 200, type)
  }
  for (const format of ['GIF', 'PRODUCT']) t.equal(await send([{ type: 'HEADER', format }], []), 132000, format)
})
