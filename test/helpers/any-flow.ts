import fc from 'fast-check'
import { type FlowEdge, type FlowGraph, type FlowNode, outputsOf } from '#shared/flow-graph.ts'
import type { Heard } from './flow-reference.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const at = (id: string) => ({ id, x: 0, y: 0 })

const text = fc.constantFrom('Hola', 'Van {{flujo.v}}', '{{flujo.v|nada}}', '{{flujo.nadie}}')
const timeoutMinutes = fc.constantFrom(0, 5)
const options = [
  { id: 'x', title: 'Pan' },
  { id: 'y', title: 'Facturas' },
]
const drawn = (id: string, tagId: string): fc.Arbitrary<FlowNode> =>
  fc.oneof(
    text.map((text): FlowNode => ({ ...at(id), type: 'message', text })),
    fc
      .record({ text, timeoutMinutes, attempts: fc.integer({ min: 1, max: 3 }) })
      .map((part): FlowNode => ({ ...at(id), type: 'question', answer: 'number', variable: 'v', ...part })),
    fc
      .record({ text, timeoutMinutes })
      .map((part): FlowNode => ({ ...at(id), type: 'buttons', options, variable: 'v', ...part })),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'condition', all: true, rules: [{ left: 'variable', name: 'flujo.v', op: 'isSet' }] },
      { ...at(id), type: 'condition', all: false, rules: [{ left: 'tag', op: 'has', tagId }] },
      { ...at(id), type: 'set', variable: 'v', value: 'x{{flujo.v}}' },
      { ...at(id), type: 'set', variable: 'v', value: '' },
      { ...at(id), type: 'tag', action: 'add', tagId },
      { ...at(id), type: 'tag', action: 'remove', tagId },
      { ...at(id), type: 'wait', amount: 1, unit: 'hours' },
      { ...at(id), type: 'handoff', text: 'Ya viene {{flujo.v}}' },
      { ...at(id), type: 'handoff' },
      { ...at(id), type: 'archive' },
      { ...at(id), type: 'end' },
    ),
    fc.constantFrom(...names, 'gone').map((nodeId): FlowNode => ({ ...at(id), type: 'goto', nodeId })),
  )
/** Any graph that the plain telling can tell. @param tagId of the one tag there is */
export const anyTellable = (tagId: string): fc.Arbitrary<FlowGraph> =>
  fc
    .tuple(
      fc.tuple(...names.map(id => drawn(id, tagId))),
      fc.array(fc.constantFrom(...names, ''), { minLength: 30, maxLength: 30 }),
    )
    .map(([steps, targets]) => {
      const nodes: FlowNode[] = [{ ...at('s'), type: 'start' }, ...steps]
      const ways = nodes.flatMap(node => outputsOf(node).map(output => ({ from: node.id, output })))
      const edges = ways.flatMap(({ from, output }, i): FlowEdge[] => {
        const to = targets[i % targets.length]
        return to ? [{ id: `e${i}`, from, output, to }] : []
      })
      return { nodes, edges }
    })
/** Whatever a customer writes, and time that passes. */
export const anyHeard: fc.Arbitrary<Heard[]> = fc.array(
  fc.oneof(
    fc.constant<Heard>({ kind: 'time' }),
    fc
      .constantFrom('1', '2', 'Pan', 'facturas', 'no sé', '12,5', '7')
      .map((text): Heard => ({ kind: 'message', text })),
  ),
  { maxLength: 12 },
)
