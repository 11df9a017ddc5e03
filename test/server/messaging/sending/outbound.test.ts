import t from 'tap'
import { parseSearch } from '#server/messaging/search/query.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { messageBody } from '#server/whatsapp/message-body.ts'
import { validateMessage } from '#server/whatsapp/serving/validate-message.ts'
import { readMessageContent } from '#server/whatsapp/webhooks/content.ts'
import { inboxApi } from '#shared/inbox/inbox.ts'
import { SendMessage } from '#shared/inbox/send-message.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage, lucia } from '#test/helpers/items.ts'
import { sandboxBench } from '#test/helpers/sandbox.ts'

const phone = lucia.waId as string
const params = { phone }
const read = readerOf('body', SendMessage)

const written = async () => {
  const stage = await anInbox()
  await stage.connect()
  const message = aMessage()
  await stage.apply(message)
  stage.events.length = 0
  const send = async (body: Record<string, unknown>) =>
    stage.inbox.sendMessage(stage.ana.member, { body: read({ numberTel: phone, ...body }) as SendMessage })
  const messages = async () => (await stage.inbox.listMessages(stage.ana.member, { params, query: {} })).items
  const stored = async (id: string) =>
    stage.databases.read.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { stage, message, send, messages, stored }
}

const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `Fila ${i + 1}` }))
const good = {
  buttons: { type: 'button', message: '¿Confirmás?', button: { buttons: [{ title: 'Sí' }, { id: 'n', title: 'No' }] } },
  list: {
    type: 'button',
    message: 'x'.repeat(4096),
    button: {
      header: 'Menú',
      footer: 'Don Luis',
      list: {
        title: 'Ver opciones',
        sections: [
          { title: 'Dulces', rows: rows(5) },
          { title: 'Salados', rows: rows(5) },
        ],
      },
    },
  },
  link: { type: 'button', message: 'Pagá acá', button: { link: { title: 'Pagar', url: 'https://pagos.example/1' } } },
  location: { type: 'location', location: { latitude: -34.6, longitude: -58.4, name: 'Local', address: 'Mitre 100' } },
  contacts: { type: 'contacts', contacts: [{ name: 'Luis', phones: ['+54 9 11 5555-1234'], emails: ['l@x.co'] }] },
}

t.test('each kind is stored as shown and as sent, and WhatsApp accepts it', async t => {
  for (const [name, body] of Object.entries(good)) {
    const { stage, send, messages, stored } = await written()
    const sent = await send(body)
    t.match(sent, { direction: 'out', status: 'queued' }, name)
    t.strictSame((await messages()).at(-1), sent, `${name}: the answer is what is stored`)
    t.match(await stage.queued(), [{ kind: 'message', ref: sent.id }])
    const content = JSON.parse((await stored(sent.id)).outbound ?? 'null')
    t.doesNotThrow(() => validateMessage({ ...messageBody({ to: phone, content, callback: 'c' }) }), name)
  }
})

t.test('options without an id are numbered, and a tap returns the number', async t => {
  const { send } = await written()
  const { interactive } = await send(good.buttons)
  t.strictSame(interactive, {
    buttons: [
      { id: '1', title: 'Sí' },
      { id: 'n', title: 'No' },
    ],
  })
  const { interactive: list, text } = await send({ ...good.list, message: 'Elegí' })
  t.equal(text, 'Elegí')
  t.strictSame(
    list?.list?.sections.map(section => section.rows.map(row => row.id)),
    [
      ['1', '2', '3', '4', '5'],
      ['6', '7', '8', '9', '10'],
    ],
  )
})

t.test('content that WhatsApp would refuse is refused by its field, and nothing is stored', async t => {
  const { stage, send, messages } = await written()
  const buttons = good.buttons.button.buttons
  const long = (n: number) => 'x'.repeat(n)
  const bad: [Record<string, unknown>, string][] = [
    [{ type: 'text' }, 'body.message'],
    [{ type: 'text', message: ' \n' }, 'body.message'],
    [{ type: 'text', message: '\u200b\u2060 \ufe0f' }, 'body.message'],
    [{ type: 'text', message: long(4097) }, 'body.message'],
    [{ type: 'button', message: 'x' }, 'body.button'],
    [{ ...good.buttons, message: undefined }, 'body.message'],
    [{ ...good.buttons, message: long(1025) }, 'body.message'],
    [{ ...good.buttons, button: {} }, 'body.button'],
    [{ ...good.buttons, button: { buttons, link: good.link.button.link } }, 'body.button'],
    [{ ...good.buttons, button: { buttons: [] } }, 'body.button.buttons'],
    [{ ...good.buttons, button: { buttons: [...buttons, { title: 'C' }, { title: 'D' }] } }, 'body.button.buttons'],
    [{ ...good.buttons, button: { buttons: [{ title: long(21) }] } }, 'body.button.buttons.0.title'],
    [{ ...good.buttons, button: { buttons: [{ title: ' ' }] } }, 'body.button.buttons.0.title'],
    [{ ...good.buttons, button: { buttons: [{ title: 'A' }, { title: 'A' }] } }, 'body.button.buttons'],
    [{ ...good.buttons, button: { buttons, header: long(61) } }, 'body.button.header'],
    [{ ...good.buttons, button: { buttons, footer: long(61) } }, 'body.button.footer'],
    [{ ...good.list, button: { list: { title: long(21), sections: [{ rows: rows(1) }] } } }, 'body.button.list.title'],
    [
      { ...good.list, button: { list: { title: 'V', sections: [{ rows: rows(11) }] } } },
      'body.button.list.sections.0.rows',
    ],
    [
      {
        ...good.list,
        button: {
          list: {
            title: 'V',
            sections: [
              { title: 'A', rows: rows(6) },
              { title: 'B', rows: rows(5) },
            ],
          },
        },
      },
      'body.button.list.sections',
    ],
    [
      { ...good.list, button: { list: { title: 'V', sections: [{ title: 'A', rows: rows(1) }, { rows: rows(1) }] } } },
      'body.button.list.sections.1.title',
    ],
    [{ ...good.link, button: { link: { title: 'Ver', url: 'ftp://x.y' } } }, 'body.button.link.url'],
    [{ ...good.link, button: { link: { title: 'Ver', url: 'https://10.0.0.1/x' } } }, 'body.button.link.url'],
    [{ type: 'location' }, 'body.location'],
    [{ type: 'location', location: { latitude: 91, longitude: 0 } }, 'body.location.latitude'],
    [{ type: 'location', location: { latitude: 1 } }, 'body.location.longitude'],
    [{ type: 'contacts' }, 'body.contacts'],
    [{ type: 'contacts', contacts: [] }, 'body.contacts'],
    [{ type: 'contacts', contacts: [{ name: '', phones: [] }] }, 'body.contacts.0.name'],
    [{ type: 'contacts', contacts: [{ name: 'A', phones: ['no es'] }] }, 'body.contacts.0.phones.0'],
  ]
  for (const [body, field] of bad)
    await t.rejects(
      send(JSON.parse(JSON.stringify(body))),
      { status: 400, code: 'APP_VALIDATION', fields: [field] },
      field,
    )
  t.equal((await messages()).length, 1)
  t.strictSame(await stage.queued(), [])
})

t.test('each kind needs an open window', async t => {
  const { stage, send } = await written()
  stage.clock.set('2026-11-22T13:00:00.000Z')
  for (const body of Object.values(good)) await t.rejects(send(body), { code: 'INBOX_WINDOW_CLOSED', status: 409 })
})

t.test('a failed message is resent with its content', async t => {
  const { stage, send, stored } = await written()
  const sent = await send(good.location)
  const { outbound } = await stored(sent.id)
  await stage.databases.write
    .updateTable('message')
    .set({ status: 'failed', error_code: '131016' })
    .where('id', '=', sent.id)
    .execute()
  const again = await stage.inbox.retryMessage(stage.ana.member, { params: { id: sent.id } })
  t.match(again, { id: sent.id, status: 'queued', location: { name: 'Local' } })
  t.equal((await stored(sent.id)).outbound, outbound)
})

t.test('a reaction is shown at once, sent once, and can be removed', async t => {
  const { stage, message, messages } = await written()
  const [first] = await messages()
  const react = (emoji: string | null) =>
    stage.inbox.reactToMessage(stage.ana.member, { params: { id: first?.id ?? '' }, body: { emoji } })
  t.match(await react('👍'), { id: first?.id, reactions: [{ emoji: '👍', by: 'us' }] })
  await react('👍')
  t.match((await messages())[0], { reactions: [{ emoji: '👍', by: 'us' }] })
  t.match(stage.events, [{ type: 'message' }], 'told once')
  t.notOk('reactions' in (await react(null)))
  t.match(await stage.reactions(), [
    { targetWamid: message.wamid, to: phone, emoji: '👍', before: '' },
    { targetWamid: message.wamid, to: phone, emoji: '', before: '👍' },
  ])
})

t.test('a reaction is removed with null; an empty string is refused', async t => {
  const readReaction = readerOf('body', inboxApi.reactToMessage.body)
  t.same(readReaction({ emoji: null }), { emoji: null })
  t.same(readReaction({ emoji: '👍' }), { emoji: '👍' })
  for (const emoji of ['', undefined, 1]) t.throws(() => readReaction({ emoji }), { code: 'APP_VALIDATION' })
})

t.test('only messages that WhatsApp accepts can be reacted to, with exactly one emoji', async t => {
  const { stage, send, messages } = await written()
  const [first] = await messages()
  const react = async (id: string, emoji: string | null) =>
    stage.inbox.reactToMessage(stage.ana.member, { params: { id }, body: { emoji } })
  for (const emoji of ['ok', '👍👍', '1', ' ', '😀!'])
    await t.rejects(react(first?.id ?? '', emoji), { code: 'APP_VALIDATION', status: 400, params: {} }, emoji)
  for (const emoji of ['👍', '❤️', '👨‍👩‍👧', '🇦🇷', '1️⃣', '👍🏽'])
    t.match(await react(first?.id ?? '', emoji), { reactions: [{ emoji }] }, emoji)
  await t.rejects(react(newId(), '👍'), { code: 'INBOX_MESSAGE_NOT_FOUND', status: 404 })
  const queued = await send({ message: 'Hola' })
  await t.rejects(react(queued.id, '👍'), { code: 'INBOX_REACTION_IMPOSSIBLE', status: 409 })
  const other = await anInbox(stage)
  await t.rejects(
    async () =>
      other.inbox.reactToMessage(other.ana.member, { params: { id: first?.id ?? '' }, body: { emoji: '👍' } }),
    { code: 'INBOX_MESSAGE_NOT_FOUND' },
  )
  stage.clock.set('2026-11-22T13:00:00.000Z')
  await t.rejects(react(first?.id ?? '', '👍'), { code: 'INBOX_WINDOW_CLOSED' })
})

const orderStatus = { referenceId: 'A-1001', status: 'partially_shipped', description: 'Falta la torta' } as const
const news = { type: 'order_status', message: 'Salió una parte de tu pedido', orderStatus }

/** As Meta documents it. */
const interactive = {
  type: 'order_status',
  body: { text: news.message },
  action: {
    name: 'review_order',
    parameters: {
      reference_id: 'A-1001',
      order: { status: 'partially_shipped', description: 'Falta la torta' },
    },
  },
}

t.test('an order status leaves as Meta documents it, and what is wrong is refused by its field', async t => {
  const { send, stored } = await written()
  const sent = await send(news)
  t.match(sent, { type: 'order_status', text: news.message, orderStatus, status: 'queued', direction: 'out' })
  const content = JSON.parse((await stored(sent.id)).outbound ?? 'null')
  t.match(messageBody({ to: phone, content }), { to: phone, type: 'interactive', interactive })

  for (const [body, field] of [
    [{ ...news, orderStatus: undefined }, 'body.orderStatus'],
    [{ ...news, message: '  ' }, 'body.message'],
    [{ ...news, message: 'x'.repeat(1025) }, 'body.message'],
    [{ ...news, orderStatus: { ...orderStatus, status: 'lost' } }, 'body.orderStatus.status'],
    [{ ...news, orderStatus: { ...orderStatus, referenceId: 'A 1001' } }, 'body.orderStatus.referenceId'],
    [{ ...news, orderStatus: { ...orderStatus, description: 'x'.repeat(121) } }, 'body.orderStatus.description'],
  ] as const)
    await t.rejects(send(JSON.parse(JSON.stringify(body))), { code: 'APP_VALIDATION', fields: [field] }, field)
})

t.test('an order status that was sent elsewhere is read as the thread shows it', async t => {
  const echoed = { id: 'wamid.1', type: 'interactive', interactive }
  t.same(readMessageContent(echoed), { type: 'order_status', text: news.message, content: { orderStatus } })
  const unread = { ...interactive, action: { name: 'review_order', parameters: { reference_id: 'A-1001' } } }
  t.match(readMessageContent({ ...echoed, interactive: unread }), { type: 'unknown' }, 'without a status')
})

t.test(
  'the simulator takes an order status and shows it on the phone; what Meta would not take is refused by its name',
  async t => {
    const bench = await sandboxBench(t)
    const { service } = bench.sandbox
    await service.inbound(bench.member, { body: { from: phone, text: '¿Y mi pedido?' } })
    const message = { messaging_product: 'whatsapp', to: phone, type: 'interactive', interactive }
    t.match(await bench.post(message), { status: 200 })
    for (let i = 0; i < 4; i += 1) {
      bench.clock.advance(60_000)
      await bench.idle()
    }
    const { items } = await service.getThread(bench.member, { params: { phone }, query: {} })
    t.match(items.at(-1), { text: news.message, header: 'A-1001 · partially shipped', footer: 'Falta la torta' })

    const { action } = interactive
    for (const [parameters, code, names] of [
      [{ order: { status: 'shipped' } }, 131008, /reference_id/],
      [{ reference_id: 'A-1001', order: { status: 'lost' } }, 131009, /\['order'\]\['status'\]/],
      [{ reference_id: 'A 1001', order: { status: 'shipped' } }, 131009, /reference_id/],
    ] as const) {
      const refused = await bench.post({
        ...message,
        interactive: { ...interactive, action: { ...action, parameters } },
      })
      t.match(refused, { status: 400, json: { error: { code, error_data: { details: names } } } })
    }
  },
)

t.test('a search finds an order status by its kind', async t => {
  t.same(parseSearch('tipo:seguimiento').types, ['order_status'])
  t.same(parseSearch('type:tracking').types, ['order_status'])
})
