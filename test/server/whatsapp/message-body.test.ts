import t from 'tap'
import { messageBody } from '#server/whatsapp/message-body.ts'
import type { OutboundContent } from '#shared/inbox/message-kinds.ts'

const to = '5491155551234'
const frame = { messaging_product: 'whatsapp', recipient_type: 'individual', to }
const bodyOf = (content: OutboundContent) => messageBody({ to, content, callback: 'a1' })

t.test('each kind has the shape Meta documents', async t => {
  const golden: [OutboundContent, Record<string, unknown>][] = [
    [
      { type: 'text', text: 'Mirá https://x.y' },
      { type: 'text', text: { body: 'Mirá https://x.y', preview_url: true } },
    ],
    [
      {
        type: 'interactive',
        body: 'Mirá',
        interactive: { product: { catalogId: '19', productRetailerId: 'AZUL-42' } },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'product',
          body: { text: 'Mirá' },
          action: { catalog_id: '19', product_retailer_id: 'AZUL-42' },
        },
      },
    ],
    [
      { type: 'location', location: { latitude: -34.6037, longitude: -58.3816, name: 'Obelisco' } },
      { type: 'location', location: { latitude: -34.6037, longitude: -58.3816, name: 'Obelisco' } },
    ],
    [
      {
        type: 'contacts',
        contacts: [
          { name: 'Ana Paz', phones: ['+54 9 11 5555-1234', '4444-1111'], emails: ['a@b.co'], company: 'Don Luis' },
        ],
      },
      {
        type: 'contacts',
        contacts: [
          {
            name: { formatted_name: 'Ana Paz', first_name: 'Ana Paz' },
            phones: [
              { phone: '+54 9 11 5555-1234', type: 'CELL', wa_id: '5491155551234' },
              { phone: '4444-1111', type: 'CELL' },
            ],
            emails: [{ email: 'a@b.co', type: 'WORK' }],
            org: { company: 'Don Luis' },
          },
        ],
      },
    ],
    [
      {
        type: 'interactive',
        body: '¿Confirmás?',
        interactive: { header: 'Turno', footer: 'Don Luis', buttons: [{ id: 'y', title: 'Sí' }] },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Turno' },
          body: { text: '¿Confirmás?' },
          footer: { text: 'Don Luis' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Sí' } }] },
        },
      },
    ],
    [
      {
        type: 'interactive',
        body: 'Elegí',
        interactive: {
          list: { title: 'Ver', sections: [{ rows: [{ id: '1', title: 'Uno', description: 'Primero' }] }] },
        },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'list',
          body: { text: 'Elegí' },
          action: { button: 'Ver', sections: [{ rows: [{ id: '1', title: 'Uno', description: 'Primero' }] }] },
        },
      },
    ],
    [
      { type: 'interactive', body: 'Pagá acá', interactive: { link: { title: 'Pagar', url: 'https://x.y/p' } } },
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          body: { text: 'Pagá acá' },
          action: { name: 'cta_url', parameters: { display_text: 'Pagar', url: 'https://x.y/p' } },
        },
      },
    ],
    [
      { type: 'reaction', targetWamid: 'wamid.T', emoji: '👍' },
      { type: 'reaction', reaction: { message_id: 'wamid.T', emoji: '👍' } },
    ],
    [
      { type: 'reaction', targetWamid: 'wamid.T', emoji: '' },
      { type: 'reaction', reaction: { message_id: 'wamid.T', emoji: '' } },
    ],
  ]
  for (const [content, body] of golden)
    t.same(bodyOf(content), { ...frame, ...body, biz_opaque_callback_data: 'a1' }, JSON.stringify(content))
})

t.test('every kind may quote a message, except reactions', async t => {
  const location: OutboundContent = { type: 'location', location: { latitude: 1, longitude: 2 } }
  t.match(messageBody({ to, content: location, replyToWamid: 'wamid.Q' }), { context: { message_id: 'wamid.Q' } })
  const reaction: OutboundContent = { type: 'reaction', targetWamid: 'wamid.T', emoji: '👍' }
  t.notOk('context' in messageBody({ to, content: reaction, replyToWamid: 'wamid.Q' }))
})
