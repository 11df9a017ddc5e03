import t from 'tap'
import { type MessageFacts, withFailure } from '#server/messaging/events.ts'
import { sayFailureFor, spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import type { LiveEvents } from '#shared/live/api.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'

const at = '2026-11-20T12:00:00.000Z'
const customer = '5491155550101'
const saved = /El texto queda guardado\.|The text is saved\./

t.test('a text that a person typed is said to be saved, in the same place as ever', async t => {
  const { translator } = createServerI18n()
  const failed = (facts: Partial<MessageFacts>, say = sayFailureFor(translator, 'es')) =>
    withFailure(
      {
        type: 'text',
        author: { kind: 'person', name: 'Ana' },
        error: { code: '131021', at },
        ...facts,
      } as MessageFacts,
      say,
    ).error?.message
  const typed =
    'No se envió: el destinatario es el mismo número de la empresa. El texto queda guardado. Elegí otro destinatario.'
  const others = 'No se envió: el destinatario es el mismo número de la empresa. Elegí otro destinatario.'
  for (const say of [sayFailureFor(translator, 'es'), spanishFailure]) {
    t.equal(failed({}, say), typed)
    t.equal(failed({ type: 'template' }, say), others)
    t.equal(failed({ author: { kind: 'bot', name: null } }, say), others, 'of a flow')
    t.equal(failed({ author: { kind: 'api', name: null } }, say), others, 'of a program')
    t.equal(failed({ error: { code: 'CANCELLED', at } }, say), 'Se canceló antes de salir. El texto queda guardado.')
    t.equal(failed({ type: 'template', error: { code: 'CANCELLED', at } }, say), 'Se canceló antes de salir.')
  }
  t.equal(
    failed({}, sayFailureFor(translator, 'en')),
    'Not sent: the recipient is your own business number. The text is saved. Choose another recipient.',
  )
})

t.test('thread, message info and live events say of a typed text, and of no template, that it is saved', async t => {
  const { backend, call, databases } = await chatStage(t)
  const settle = async () => {
    for (let round = 0; round < 3; round += 1) {
      await backend.settle()
      backend.clock.advance(60_000)
    }
    await backend.settle()
  }
  await call('POST', '/whatsapp/template/sync')
  await call('POST', '/sandbox/inbound', { from: customer, text: 'Hola' })
  await settle()
  const bodies = {
    text: { type: 'text', message: 'Ya sale', numberTel: customer },
    template: {
      type: 'template',
      template: 'pedido_listo',
      phones: [customer],
      numberTel: customer,
      bodyExample: ['Ana', '1042'],
    },
  }
  for (const [type, body] of Object.entries(bodies)) {
    await call('POST', '/sandbox/fail', { code: '131026', mode: 'async' })
    const { id } = (await call('POST', '/whatsapp/messages', body)).body as { id: string }
    await settle()
    const { error } = (await call('GET', `/whatsapp/messages/${id}/info`)).body
    t.match(error, { code: '131026' }, type)
    const chat = (await call('GET', `/whatsapp/chats/${customer}`)).body
    const [shown] = chat.items.filter((one: { id: string }) => one.id === id)
    const events = await databases.read.selectFrom('event').select('data').where('type', '=', 'status').execute()
    const event = events
      .map(({ data }) => JSON.parse(data) as LiveEvents['status'])
      .findLast(data => data.id === id && data.error !== undefined)
    for (const [where, message] of Object.entries({
      info: error.message,
      thread: shown.error.message,
      live: event?.error?.message,
    })) {
      t.match(message, /WhatsApp/, `${type}, ${where}`)
      t.equal(saved.test(message), type === 'text', `${type}, ${where}`)
    }
  }
  t.same(backend.errors(), [])
})
