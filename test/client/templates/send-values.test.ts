import t from 'tap'
import { filledComponents, isSendable, neededValues, sendBodyOf } from '#client/templates/send-values.ts'
import type { TemplateComponent } from '#shared/template-components.ts'

const components: TemplateComponent[] = [
  { type: 'HEADER', format: 'TEXT', text: 'Turno de {{1}}' },
  { type: 'BODY', text: 'Hola {{1}}, te esperamos el {{2}}.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Voy' },
      { type: 'URL', text: 'Ver turno', url: 'https://x.example/{{1}}' },
    ],
  },
]

t.test('each value a template needs is asked for once, where its fault will be told', async t => {
  t.same(
    neededValues(components).map(({ field }) => field),
    ['body.headerExample.1', 'body.bodyExample.1', 'body.bodyExample.2', 'body.buttonExample.1'],
  )
  t.same(neededValues([{ type: 'BODY', text: 'Gracias.' }]), [])
  t.match(
    neededValues([
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hola' },
    ]),
    [{ field: 'body.image' }],
  )
})

t.test('what is filled in stands in the call and in the message; what is missing keeps its mark', async t => {
  const values = { 'body.headerExample.1': 'Ana', 'body.bodyExample.1': ' Ana ', 'body.buttonExample.1': 'T-9' }
  t.same(sendBodyOf('42', values), {
    template: '42',
    headerExample: { 1: 'Ana' },
    bodyExample: { 1: 'Ana' },
    buttonExample: { 1: 'T-9' },
  })
  const [header, body] = filledComponents(components, values)
  t.match(header, { text: 'Turno de Ana' })
  t.match(body, { text: 'Hola Ana, te esperamos el {{2}}.' })
})

t.test('what needs a file or cards is not offered', async t => {
  t.ok(isSendable(components))
  t.ok(
    isSendable([
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hola' },
    ]),
  )
  t.notOk(
    isSendable([
      { type: 'HEADER', format: 'VIDEO' },
      { type: 'BODY', text: 'Hola' },
    ]),
  )
  t.notOk(
    isSendable([
      { type: 'BODY', text: 'Hola' },
      { type: 'CAROUSEL', cards: [] },
    ]),
  )
})
