import t from 'tap'
import { type FlowNames, type FlowsT, jumpText, templateKey, templateText } from '#client/flows/words.ts'
import type { FlowNode, NodeOf } from '#shared/flows/graph.ts'

/** Returns keys with the values filled in. */
const words = ((key: string, values: Record<string, unknown> = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as FlowsT
const at = { x: 0, y: 0 }
const names: FlowNames = {
  ...{ tags: new Map(), teams: new Map(), members: new Map(), flows: new Map(), sends: new Map() },
  templates: new Map([[templateKey({ template: 'aviso', language: 'es' }), 'Hola {{1}}, te esperamos a las {{2}}.']]),
}

t.test('a template shows its text with the step’s values, as far as they are known', async t => {
  const step = (template: string): NodeOf<'template'> => ({
    ...{ ...at, id: 'p', type: 'template', template, language: 'es' },
    values: { 'body.1': '{{contacto.nombre}}', 'body.2': ' ' },
  })
  t.equal(templateText(step('aviso'), names), 'Hola {{contacto.nombre}}, te esperamos a las {{2}}.')
  t.equal(templateText(step('otra'), names), '')
})

t.test('a jump shows its target', async t => {
  const jump: FlowNode = { ...at, id: 'g', type: 'goto', nodeId: 'm' }
  const message: FlowNode = { ...at, id: 'm', type: 'message', text: 'Hola' }
  const end: FlowNode = { ...at, id: 'm', type: 'end', name: 'Chau' }
  t.equal(jumpText(words, jump, { nodes: [jump, message] }), 'outline.joins node.message: Hola')
  t.equal(jumpText(words, jump, { nodes: [jump, end] }), 'outline.joins Chau')
  t.equal(jumpText(words, jump, { nodes: [jump] }), '', 'nowhere')
  t.equal(jumpText(words, message, { nodes: [message] }), '')
})
