/**
 * A template with cards, from its files to the customer's phone: sent to one, in bulk, from the page and by a program.
 */
import t from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { PhoneMessage } from '#shared/simulator/phone.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const address = (name: string) => `https://fotos.example/${name}.jpg`

const aCarousel = async (t: Parameters<typeof stage>[0]) => {
  const scene = await stage(t)
  const { backend, owner, ask, later } = scene
  const uploaded = await backend.inject({
    method: 'POST',
    url: '/api/whatsapp/template/media?name=torta.png',
    headers: { cookie: owner.cookie, 'content-type': 'application/octet-stream' },
    payload: png,
  })
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [uploaded.json().handle] } }
  const card = (text: string, example: string[]) => ({
    components: [
      header,
      { type: 'BODY', text, ...(example.length ? { example: { body_text: [example] } } : {}) },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'La quiero' },
          { type: 'URL', text: 'Ver', url: 'https://tortas.example/{{1}}', example: ['https://tortas.example/a'] },
        ],
      },
    ],
  })
  const made = await ask<{ id: string }>('POST', '/whatsapp/template', {
    template: {
      name: `vidriera_${newId()}`,
      language: 'es_AR',
      category: 'MARKETING',
      components: [
        { type: 'BODY', text: 'Hola {{1}}, esto salió hoy del horno.', example: { body_text: [['Ana']] } },
        {
          type: 'CAROUSEL',
          cards: [card('De {{1}}, entera y recién hecha.', ['manzana']), card('De chocolate, en porciones.', [])],
        },
      ],
    },
  })
  t.equal(made.status, 201, JSON.stringify(made.json))
  const { id } = made.json
  await later(60_000)
  await ask('POST', `/sandbox/template/${id}`, { status: 'APPROVED' })
  await backend.settle()
  await ask('POST', '/whatsapp/template/sync')
  const onPhone = async (phone: string) =>
    (await ask<{ items: PhoneMessage[] }>('GET', `/sandbox/customers/${phone}/messages`)).json.items
  const inThread = async (phone: string) =>
    (await ask<{ items: Message[] }>('GET', `/whatsapp/chats/${phone}`)).json.items
  return { ...scene, carousel: id, onPhone, inThread }
}

const cardExample = {
  0: { file: address('manzana'), body: ['manzana'], buttons: { 1: 'manzana' } },
  1: { file: address('chocolate'), buttons: { 1: 'chocolate' } },
}
const cardsShown = [
  {
    media: { format: 'IMAGE', url: address('manzana') },
    text: 'De manzana, entera y recién hecha.',
    buttons: [{ text: 'La quiero' }, { text: 'Ver', url: 'https://tortas.example/manzana' }],
  },
  {
    media: { format: 'IMAGE', url: address('chocolate') },
    text: 'De chocolate, en porciones.',
    buttons: [{ text: 'La quiero' }, { text: 'Ver', url: 'https://tortas.example/chocolate' }],
  },
]

t.test('each recipient gets the cards with their own values, as the plan showed them', async t => {
  const { later, backend, ask, carousel, onPhone, inThread, report, create } = await aCarousel(t)
  const [one, two] = phones(2) as [string, string]
  const fixed = (text: string) => ({ from: 'fixed', text })
  const request = {
    template: carousel,
    audience: { csv: { text: `telefono,nombre,sabor\n${one},Ana,manzana\n${two},Luz,pera\n` } },
    values: {
      body: { 1: { from: 'column', text: 'nombre' } },
      cards: {
        0: {
          file: address('manzana'),
          body: { 1: { from: 'column', text: 'sabor' } },
          buttons: { 1: { from: 'column', text: 'sabor' } },
        },
        1: { file: address('chocolate'), buttons: { 1: fixed('chocolate') } },
      },
    },
    marketingCap: null,
  }
  const { json: plan } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', request)
  t.match(plan, { planned: 2, omitted: [] })
  t.match(plan.previews[0], { text: 'Hola Ana, esto salió hoy del horno.', cards: cardsShown })
  t.match(plan.previews[1]?.cards?.[0], { text: 'De pera, entera y recién hecha.' })
  const send = await create({ ...request, startIfPlanned: 2 })
  await backend.settle()
  for (let i = 0; i < 3; i += 1) await later(60_000)
  t.match(await report(send), {
    state: 'completed',
    counts: { failed: 0, omitted: 0 },
    cards: [
      {
        format: 'IMAGE',
        text: 'De {{1}}, entera y recién hecha.',
        textExample: { body_text: [['manzana']] },
        buttons: ['La quiero', 'Ver'],
      },
      { text: 'De chocolate, en porciones.', textExample: null },
    ],
  })
  const [message] = await onPhone(two)
  t.match(message, {
    text: 'Hola Luz, esto salió hoy del horno.',
    cards: [
      {
        text: 'De pera, entera y recién hecha.',
        media: { id: null, name: address('manzana') },
        choices: [
          { kind: 'quickReply', title: 'La quiero' },
          { kind: 'link', id: 'https://tortas.example/pera' },
        ],
      },
      { text: 'De chocolate, en porciones.' },
    ],
  })
  t.match((await inThread(one)).at(-1), { type: 'template', template: { cards: cardsShown } })
  const { json: recipe } = await ask<object>('GET', `/whatsapp/bulk-sends/${send.id}/recipe`)
  t.match(recipe, { values: { cards: { 0: { file: address('manzana'), body: {} } } }, gone: ['columns'] })
})

t.test('if an image or a value of a card is missing nobody gets it, and the plan says why', async t => {
  const { ask, carousel } = await aCarousel(t)
  const { json } = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', {
    template: carousel,
    audience: { numbers: phones(1).join() },
    values: { body: { 1: { from: 'fixed', text: 'Ana' } }, cards: { 0: { file: address('manzana') } } },
  })
  t.match(json, { planned: 0, omitted: [{ reason: 'valueMissing', count: 1 }] })
})

t.test(
  'a program and a member send it to one contact; a card’s missing value is reported with its position',
  async t => {
    const { backend, later, ask, carousel, onPhone, inThread } = await aCarousel(t)
    const [one, two] = phones(2) as [string, string]
    const body = { phones: [one, two], template: carousel, bodyExample: ['Ana'] }
    const refused = await ask<{ details: { field: string; code: string }[] }>('POST', '/whatsapp/messages_template', {
      ...body,
      cardExample: { 0: { body: ['manzana', 'pera'] }, 5: {} },
    })
    t.equal(refused.status, 400)
    t.same(
      refused.json.details.map(({ field, code }) => `${field} ${code}`),
      [
        'body.cardExample.5 unknown',
        'body.cardExample.0.body maxItems',
        'body.cardExample.0.file fileRequired',
        'body.cardExample.0.buttons.1 valueRequired',
        'body.cardExample.1.file fileRequired',
        'body.cardExample.1.buttons.1 valueRequired',
      ],
    )
    const taken = await ask('POST', '/whatsapp/messages_template', { ...body, cardExample })
    t.equal(taken.status, 202, JSON.stringify(taken.json))
    await backend.settle()
    for (let i = 0; i < 3; i += 1) await later(60_000)
    t.match((await onPhone(one))[0], { cards: [{ text: 'De manzana, entera y recién hecha.' }, {}] })
    const alone = await ask<Message>('POST', '/whatsapp/messages', {
      ...body,
      type: 'template',
      phones: [one],
      numberTel: one,
      cardExample,
    })
    t.equal(alone.status, 202, JSON.stringify(alone.json))
    t.match(alone.json.template, { cards: cardsShown })
    await backend.settle()
    t.match((await inThread(one)).at(-1), { template: { cards: cardsShown } })
  },
)
