/** A template's message as it is shown before a recipient is known. */
import t from 'tap'
import { sampleOf } from '#client/bulk-sends/create/template/sample.ts'
import type { Template } from '#shared/templates/api.ts'

const file = { mime: 'image/png', name: 'torta.png', size: 70, handle: 'media:x' }
const url = '/api/whatsapp/template/media/1m8pnhef51fydt945p8hqb9s'

t.test('examples stand in the place of variables, and a name where there is no example', async t => {
  const components: Template['components'] = [
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: { header_text: ['1042'] } },
    { type: 'BODY', text: 'Hola {{nombre}}, el {{dia}} abrimos.', example: {} },
    { type: 'FOOTER', text: 'Panadería' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Voy' }] },
  ]
  t.same(sampleOf({ components, media: [] }), {
    header: 'Pedido 1042',
    text: 'Hola nombre, el dia abrimos.',
    footer: 'Panadería',
    buttons: [{ text: 'Voy' }],
  })
})

t.test('a file that is kept here is shown, of a card too; others only by their kind', async t => {
  const header = { type: 'HEADER', format: 'IMAGE' } as const
  const card = (text: string) => ({ components: [header, { type: 'BODY' as const, text }] })
  const components: Template['components'] = [
    { type: 'BODY', text: 'Hoy' },
    { type: 'CAROUSEL', cards: [card('Torta'), card('Pan')] },
  ]
  const { media, cards } = sampleOf({ components, media: [{ ...file, card: 0, url }] })
  t.equal(media, undefined)
  t.match(cards, [
    { text: 'Torta', media: { format: 'IMAGE', url } },
    { text: 'Pan', media: { format: 'IMAGE', url: undefined } },
  ])
})
