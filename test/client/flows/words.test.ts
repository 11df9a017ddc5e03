import t from 'tap'
import { type FlowsT, jumpText } from '#client/flows/words.ts'
import type { FlowNode } from '#shared/flows/graph.ts'

/** Returns keys with the values filled in. */
const words = ((key: string, values: Record<string, unknown> = {}) =>
  [key, ...Object.values(values)].join(' ')) as unknown as FlowsT
const at = { x: 0, y: 0 }

t.test('the line of a jump names the step that it leads to', async t => {
  const jump: FlowNode = { ...at, id: 'g', type: 'goto', nodeId: 'm' }
  const message: FlowNode = { ...at, id: 'm', type: 'message', text: 'Hola' }
  const end: FlowNode = { ...at, id: 'm', type: 'end', name: 'Chau' }
  t.equal(jumpText(words, jump, { nodes: [jump, message] }), 'outline.joins node.message: Hola')
  t.equal(jumpText(words, jump, { nodes: [jump, end] }), 'outline.joins Chau')
  t.equal(jumpText(words, jump, { nodes: [jump] }), '', 'nowhere')
  t.equal(jumpText(words, message, { nodes: [message] }), '')
})
