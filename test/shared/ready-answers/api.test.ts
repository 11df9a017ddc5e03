import t from 'tap'
import { fillAnswer, gapIn, shortcutOf, unknownVariable } from '#shared/ready-answers/api.ts'

const fill = (text: string, values: Parameters<typeof fillAnswer>[1] = {}) =>
  fillAnswer(text, values, name => `falta ${name}`)

t.test('values replace their variables; missing ones are marked, never left in braces', async t => {
  const values = { 'contacto.nombre': 'Lucía', 'org.nombre': '{{agente.nombre}}' } as const
  t.equal(fill('Hola {{ contacto.nombre }}, {{org.nombre}}', values), 'Hola Lucía, {{agente.nombre}}')
  t.equal(fill('Hola {{contacto.nombre|cliente}}', {}), 'Hola cliente')
  t.equal(fill('Hola {{contacto.nombre}}', { 'contacto.nombre': ' ' }), 'Hola ⟦falta contacto.nombre⟧')
  t.equal(fill('{{nada}}'), '⟦nada⟧')
})

t.test('gaps, unknown variables and shortcuts are found in a text', async t => {
  t.same(gapIn('Hola ⟦nombre⟧ y ⟦otro⟧'), { from: 5, to: 13 })
  t.equal(gapIn('Hola [nombre]'), undefined)
  t.equal(unknownVariable('{{contacto.nombre}} {{contacto.edad}}'), 'contacto.edad')
  t.equal(unknownVariable('{{contacto.nombre|x}} {no}'), undefined)
  t.equal(shortcutOf(' /Envíos'), 'envios')
})
