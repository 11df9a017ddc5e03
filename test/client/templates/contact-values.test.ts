import t from 'tap'
import { type KnownContact, valuesOfContact } from '#client/templates/contact-values.ts'

const field = (label: string, value: string | null, kind: 'text' | 'date' = 'text') => ({
  ...{ id: label, label, kind, options: [], value },
})
const lucia: KnownContact = {
  name: 'Lucía Méndez',
  profileName: 'lu',
  fields: [
    field('Número de pedido', 'A-17'),
    field('Ciudad', 'Rosario'),
    field('Vence', '2026-12-01', 'date'),
    field('DNI', null),
  ],
}
const bodyOf = (text: string) => [{ type: 'BODY' as const, text }]
const filledIn = (text: string, contact = lucia) => valuesOfContact(bodyOf(text), contact)

t.test('the first name stands after a greeting, or where the variable is called so', async t => {
  for (const text of ['Hola {{1}}, ¿cómo estás?', '¡Hola, {{1}}!', 'Buenos días {{1}}:', 'Dear {{1}}, thanks'])
    t.same(filledIn(text), { 'body.bodyExample.1': 'Lucía' }, text)
  t.same(filledIn('Te espera {{first_name}}'), { 'body.bodyExample.first_name': 'Lucía' })
  t.same(filledIn('Hola {{1}}', { ...lucia, name: null }), { 'body.bodyExample.1': 'lu' })
  t.same(filledIn('Hola {{1}}', { ...lucia, name: null, profileName: null }), {})
})

t.test("a contact's field fills the variable that the words before it, or its own name, call so", async t => {
  t.same(filledIn('Tu número de pedido {{1}} está listo'), { 'body.bodyExample.1': 'A-17' })
  t.same(filledIn('Sale hoy a {{ciudad}}'), { 'body.bodyExample.ciudad': 'Rosario' })
  t.same(filledIn('Saldo: {{numero_de_pedido}}'), { 'body.bodyExample.numero_de_pedido': 'A-17' })
})

t.test('whatever else is asked stays empty', async t => {
  t.same(filledIn('Tu turno es el {{1}} a las {{2}}'), {})
  t.same(filledIn('Vence {{1}}'), {}, 'a date is written as the message needs it')
  t.same(filledIn('DNI {{1}}'), {}, 'nobody knows it')
})
