import t from 'tap'
import { variableLabels } from '#shared/templates/variables.ts'

const labelsOf = (text: string) => Object.fromEntries(variableLabels(text))

t.test('a number is named by the words around it, a name by itself', async t => {
  t.same(labelsOf('Hola {{1}}, tu pedido {{2}} ya está listo.'), { 1: 'Hola ___', 2: 'tu pedido ___' })
  t.same(labelsOf('Hola {{nombre}}, tu pedido {{numero_de_pedido}} ya está listo.'), {
    nombre: 'nombre',
    numero_de_pedido: 'numero_de_pedido',
  })
  t.same(labelsOf('Hola, {{1}}: el lunes abrimos.'), { 1: 'Hola, ___' })
  t.same(labelsOf('{{1}}, {{2}}'), { 1: '1', 2: '2' })
  t.same(labelsOf('{{1}} te espera mañana'), { 1: '___ te espera mañana' })
  t.same(labelsOf('Retiralo *el {{1}} de 9 a 18*'), { 1: 'Retiralo el ___' })
  t.same(labelsOf('Tu código es\n{{1}}'), { 1: '1' }, 'another line does not name it')
})

t.test('equal names get a number, and a number without words stays one', async t => {
  t.same(labelsOf('Del {{1}}. Del {{2}}.'), { 1: 'Del ___', 2: 'Del ___ (2)' })
  t.same(labelsOf('{{1}}{{2}} {{3}}'), { 1: '1', 2: '2', 3: '3' })
  t.same(labelsOf('Sin variables.'), {})
})

t.test('only the words near a variable are read for it', async t => {
  const far = `Hola ${'x'.repeat(500)} {{1}}`
  t.match(labelsOf(far)[1], /^x{119} ___$/)
  const many = `${'a'.repeat(683)}.${Array.from({ length: 58 }, (_, i) => `{{${i + 1}}}`).join('')}`
  t.equal(Object.keys(labelsOf(many)).length, 58)
})
