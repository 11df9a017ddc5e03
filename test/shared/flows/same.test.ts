import t from 'tap'
import type { FlowEdge, FlowNode } from '#shared/flows/graph.ts'
import { type DrawnFlow, isSameFlow } from '#shared/flows/same.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'

const start: FlowNode = { id: 's', type: 'start', x: 0, y: 0 }
const message = { id: 'm', type: 'message', text: 'Hola', x: 0, y: 0 } as const
const manual: FlowTrigger = { id: 't', kind: 'manual' }
const drawn = (
  nodes: readonly FlowNode[],
  wires: readonly (readonly [from: string, output: string, to: string])[] = [],
  more: Partial<DrawnFlow> = {},
): DrawnFlow => ({
  graph: { nodes, edges: wires.map(([from, output, to], i): FlowEdge => ({ id: `e${i}`, from, output, to })) },
  triggers: [manual],
  ...more,
})
const ofMessage = (more: object) => drawn([start, { ...message, ...more }])

t.test('of two edges from one output only the first counts', async t => {
  const nodes: FlowNode[] = [start, { ...message, id: 'b' }, { ...message, id: 'c' }]
  const toB = drawn(nodes, [['s', 'next', 'b']])
  const toBFirst = drawn(nodes, [
    ['s', 'next', 'b'],
    ['s', 'next', 'c'],
  ])
  const toCFirst = drawn(nodes, [
    ['s', 'next', 'c'],
    ['s', 'next', 'b'],
  ])
  t.notOk(isSameFlow(toBFirst, toCFirst))
  t.ok(isSameFlow(toBFirst, toB), 'the second one is never taken')
})

t.test('the order of edges of different outputs does not count, but where they lead does', async t => {
  const nodes = [start, { ...message, id: 'b' }, { ...message, id: 'c' }]
  const one = drawn(nodes, [
    ['s', 'next', 'b'],
    ['b', 'next', 'c'],
    ['b', 'other', 's'],
  ])
  const reordered = drawn(nodes, [
    ['b', 'other', 's'],
    ['b', 'next', 'c'],
    ['s', 'next', 'b'],
  ])
  t.ok(isSameFlow(one, reordered))
  t.notOk(isSameFlow(one, drawn(nodes, [['s', 'next', 'b']])))
})

t.test('what only the authors see does not count', async t => {
  const plain = ofMessage({})
  t.ok(isSameFlow(plain, ofMessage({ x: 40, y: 80, color: 'blue' })))
  const { graph } = plain
  t.ok(isSameFlow(plain, { ...plain, graph: { ...graph, notes: [{ id: 'n', x: 0, y: 0, text: 'Ojo' }] } }))
})

t.test('neither the order of fields nor that of ends counts', async t => {
  const { id, type, text, x, y } = message
  t.ok(isSameFlow(ofMessage({}), drawn([start, { y, text, type, x, id }])))
  t.ok(isSameFlow(ofMessage({ ends: ['next', 'late'] }), ofMessage({ ends: ['late', 'next'] })))
  t.ok(isSameFlow(ofMessage({ ends: [] }), ofMessage({})))
  t.notOk(isSameFlow(ofMessage({ ends: ['next'] }), ofMessage({})))
})

t.test('a text, the name of a step, a further step and the triggers count', async t => {
  const plain = ofMessage({})
  t.notOk(isSameFlow(plain, ofMessage({ text: 'Chau' })))
  t.notOk(isSameFlow(plain, ofMessage({ name: 'Saludo' })))
  t.notOk(isSameFlow(plain, drawn([start, message, { ...message, id: 'n' }])))
  t.notOk(isSameFlow(plain, drawn([start, { ...message, id: 'n' }])))
  t.notOk(isSameFlow(plain, { ...plain, triggers: [] }))
  t.ok(isSameFlow(plain, { ...plain, triggers: [{ kind: 'manual', id: 't' }] }))
})
