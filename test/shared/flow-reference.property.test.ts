import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type FlowEdge, type FlowGraph, type FlowNode, indexGraph, outputsOf } from '#shared/flow-graph.ts'
import { runTurn } from '#shared/flow-run.ts'
import type { FlowInput, FlowWorld, Place } from '#shared/flow-turn.ts'
import { type Heard, type Shown, tell } from '#test/helpers/flow-reference.ts'

/** Bounded: whatever they are, they run the same everywhere. */
const runs = { numRuns: 5000, seed: 20261125 }
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const at = (id: string) => ({ id, x: 0, y: 0 })

const text = fc.constantFrom('Hola', 'Van {{flujo.v}}', '{{flujo.v|nada}}', '{{flujo.nadie}}')
const timeoutMinutes = fc.constantFrom(0, 5)
const options = [
  { id: 'x', title: 'Pan' },
  { id: 'y', title: 'Facturas' },
]
const drawn = (id: string): fc.Arbitrary<FlowNode> =>
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
      { ...at(id), type: 'condition', all: false, rules: [{ left: 'tag', op: 'has', tagId: 'vip' }] },
      { ...at(id), type: 'set', variable: 'v', value: 'x{{flujo.v}}' },
      { ...at(id), type: 'set', variable: 'v', value: '' },
      { ...at(id), type: 'tag', action: 'add', tagId: 'vip' },
      { ...at(id), type: 'tag', action: 'remove', tagId: 'vip' },
      { ...at(id), type: 'wait', amount: 1, unit: 'hours' },
      { ...at(id), type: 'handoff', text: 'Ya viene {{flujo.v}}' },
      { ...at(id), type: 'handoff' },
      { ...at(id), type: 'archive' },
      { ...at(id), type: 'end' },
    ),
    fc.constantFrom(...names, 'gone').map((nodeId): FlowNode => ({ ...at(id), type: 'goto', nodeId })),
  )
const graph: fc.Arbitrary<FlowGraph> = fc
  .tuple(fc.tuple(...names.map(drawn)), fc.array(fc.constantFrom(...names, ''), { minLength: 30, maxLength: 30 }))
  .map(([steps, targets]) => {
    const nodes: FlowNode[] = [{ ...at('s'), type: 'start' }, ...steps]
    const ways = nodes.flatMap(node => outputsOf(node).map(output => ({ from: node.id, output })))
    const edges = ways.flatMap(({ from, output }, i): FlowEdge[] => {
      const to = targets[i % targets.length]
      return to ? [{ id: `e${i}`, from, output, to }] : []
    })
    return { nodes, edges }
  })
const heard: fc.Arbitrary<Heard[]> = fc.array(
  fc.oneof(
    fc.constant<Heard>({ kind: 'time' }),
    fc
      .constantFrom('1', '2', 'Pan', 'facturas', 'no sé', '12,5', '7')
      .map((text): Heard => ({ kind: 'message', text })),
  ),
  { maxLength: 12 },
)

const world = (tagIds: readonly string[]): FlowWorld => ({
  now: '2026-11-02T15:00:00.000Z',
  timeZone: 'UTC',
  isOpen: true,
  builtIn: {
    'contacto.nombre': '',
    'contacto.telefono': '',
    'agente.nombre': '',
    'org.nombre': '',
    ultimo_mensaje: '',
  },
  tagIds,
  isWindowOpen: true,
  expiresAfterHours: 4,
  expiredText: null,
  knownTagIds: ['vip'],
  fillTemplate: () => 'templateGone',
})

/** The same conversation on the engine, one session with its rows in mind. */
const played = (graph: FlowGraph, inputs: readonly Heard[]): Shown => {
  const index = indexGraph(graph)
  const says: string[] = []
  const tags = new Set<string>()
  let variables: Record<string, string> = {}
  let place: Place = { nodeId: '', variables: {}, tries: 0 }
  let ends: Shown['ends'] = 'no'
  let isTimed = false
  const turn = (input: FlowInput): void => {
    const { steps, outcome } = runTurn(index, place, input, world([...tags]))
    for (const { effect, changes } of steps) {
      if (effect?.kind === 'text' || effect?.kind === 'options') says.push(effect.text)
      if (effect?.kind === 'tag') tags[effect.action === 'add' ? 'add' : 'delete'](effect.tagId)
      for (const [name, { after }] of Object.entries(changes)) variables = { ...variables, [name]: after }
    }
    if (outcome.kind !== 'waits') {
      ends = outcome.kind
      return
    }
    place = outcome.place
    isTimed = outcome.for === 'time'
  }
  turn({ kind: 'begin' })
  for (const input of inputs) {
    if (ends !== 'no') break
    if (input.kind === 'time') turn(input)
    else if (!isTimed) turn({ kind: 'message', text: input.text, isText: true, tapped: null })
  }
  return { says, tags: [...tags].sort(), variables, ends }
}

t.test('whatever is drawn and whatever is said, the engine does what the plain telling says', t => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(graph, heard, (graph, inputs) => {
      const shown = tell(graph, inputs)
      reached.add(shown.ends)
      assert.deepEqual(played(graph, inputs), shown)
    }),
    runs,
  )
  t.same([...reached].sort(), ['expired', 'finished', 'handedOff', 'no'], 'every way to end was taken')
  t.end()
})
