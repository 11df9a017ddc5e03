import fc from 'fast-check'
import t from 'tap'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import type {
  FlowInput,
  FlowOutcome,
  FlowStep,
  FlowWorld,
  SessionPosition,
} from '#server/features/flows/step/advance-types.ts'
import { type FlowEdge, type FlowGraph, type FlowNode, isWaiting, outputsOf } from '#shared/flows/graph.ts'
import { maxInside } from '#shared/flows/reached.ts'
import { type JoinedFlow, joinFlows } from '#shared/flows/subflows.ts'

/** A fixed number of runs with a fixed seed: the same cases everywhere. */
const runs = { numRuns: 3000, seed: 20261123 }
/** Fifty at once, each followed by leaving all nested flows. */
const maxStepsOfAnAdvance = 50 + 50 * (maxInside + 1) + 3
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const

const at = (id: string) => ({ id, x: 0, y: 0 })
const text = fc.constantFrom('Hola', '¿Sí?', 'Van {{flujo.v}}', 'Bien', 'Listo', 'Ya', '{{flujo.nada}}')
const timeoutMs = fc.constantFrom(0, 300_000)
const choice = { template: 'aviso', language: 'es', values: { 'body.1': '{{flujo.v|nada}}' } }

const drawn = (id: string): fc.Arbitrary<FlowNode> =>
  fc.oneof(
    fc
      .record({ text, has: fc.boolean() })
      .map(({ text, has }): FlowNode => ({ ...at(id), type: 'message', text, ...(has ? { fallback: choice } : {}) })),
    fc
      .constantFrom('{{flujo.v}}', 'x')
      .map((value): FlowNode => ({ ...at(id), type: 'template', ...choice, values: { 'body.1': value } })),
    fc
      .record({ text, timeoutMs, attempts: fc.integer({ min: 1, max: 3 }) })
      .map((part): FlowNode => ({ ...at(id), type: 'question', expects: 'number', variable: 'v', ...part })),
    fc.record({ text, timeoutMs }).map(
      (part): FlowNode => ({
        ...at(id),
        type: 'buttons',
        options: [{ id: 'x', title: 'Pan' }],
        variable: 'v',
        ...part,
      }),
    ),
    fc.constantFrom<FlowNode>(
      { ...at(id), type: 'condition', all: true, rules: [{ left: 'variable', name: 'flujo.v', op: 'isSet' }] },
      { ...at(id), type: 'condition', all: false, rules: [{ left: 'tag', op: 'has', tagId: 'vip' }] },
      { ...at(id), type: 'set', variable: 'v', value: 'x{{flujo.v}}' },
      { ...at(id), type: 'tag', action: 'add', tagId: 'vip' },
      { ...at(id), type: 'tag', action: 'remove', tagId: 'gone' },
      { ...at(id), type: 'wait', ms: 3_600_000 },
      { ...at(id), type: 'handoff', note: '{{flujo.v}}' },
      { ...at(id), type: 'close' },
      { ...at(id), type: 'end' },
    ),
    fc.constantFrom(...names).map((nodeId): FlowNode => ({ ...at(id), type: 'goto', nodeId })),
    fc.constantFrom('one', 'two', 'gone').map((flowId): FlowNode => ({ ...at(id), type: 'subflow', flowId })),
  )

const graph: fc.Arbitrary<FlowGraph> = fc
  .tuple(...names.map(drawn), fc.array(fc.constantFrom(...names, ''), { minLength: 40, maxLength: 40 }))
  .map(parts => {
    const targets = parts.at(-1) as string[]
    const nodes: FlowNode[] = [{ ...at('s'), type: 'start' }, ...(parts.slice(0, -1) as FlowNode[])]
    const ways = nodes.flatMap(node => outputsOf(node).map(output => ({ from: node.id, output })))
    const edges = ways.flatMap(({ from, output }, i): FlowEdge[] => {
      const to = targets[i % targets.length]
      return to ? [{ id: `e${i}`, from, output, to }] : []
    })
    return { nodes, edges }
  })

const said: fc.Arbitrary<FlowInput> = fc.oneof(
  fc.constant<FlowInput>({ kind: 'time' }),
  fc.record({
    kind: fc.constant('message' as const),
    text: fc.constantFrom('1', 'Pan', 'pan', 'no sé', '', '12,5', 'x'.repeat(5000)),
    isText: fc.boolean(),
    tapped: fc.constantFrom(null, { nodeId: 'a', optionId: 'x' }, { nodeId: 'gone', optionId: 'x' }),
  }),
)
const customer = fc.record({
  inputs: fc.array(said, { maxLength: 12 }),
  windows: fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }),
  isApproved: fc.boolean(),
  isInsideGone: fc.boolean(),
})

const worldOf = (isWindowOpen: boolean, isApproved: boolean): FlowWorld => ({
  now: '2026-11-02T15:00:00.000Z',
  customerId: 'c1',
  timeZone: 'America/Argentina/Buenos_Aires',
  isOpen: true,
  builtIn: {
    'contacto.nombre': 'Lucía',
    'contacto.telefono': '549',
    'agente.nombre': '',
    'org.nombre': 'Don Luis',
    ultimo_mensaje: '',
  },
  tagIds: [],
  isWindowOpen,
  expiresAfterHours: 4,
  expiredText: null,
  knownTagIds: ['vip'],
  listLabel: 'Ver opciones',
  fillTemplate: ({ values }) => {
    if (!isApproved) return 'templateNotApproved'
    if (!values['body.1']) return 'templateValues'
    const shown = { id: 'i', name: 'aviso', language: 'es', header: null, footer: null, buttons: [] }
    return { id: 'i', message: {}, text: values['body.1'], shown }
  },
})

const isExplained = ({ why }: FlowStep, outcome: FlowOutcome): boolean =>
  outcome.kind !== 'handedOff' || outcome.reason === 'asked' || why === outcome.reason

t.test(
  'for any drawing and input an advance is short, runs no step twice per input, and ends, waits or says why',
  t => {
    fc.assert(
      fc.property(graph, graph, graph, customer, (root, one, two, { inputs, windows, isApproved, isInsideGone }) => {
        const flows: JoinedFlow[] = [
          { flowId: 'one', version: 1, graph: one },
          { flowId: 'two', version: 3, graph: two },
        ]
        const live = new Map([
          ['one', 1],
          ['two', 3],
        ])
        const whole = joinFlows(root, flows, live).index
        // Halfway through, the nested flows may be deleted.
        const left = isInsideGone ? joinFlows(root, [], new Map()).index : whole
        let place: SessionPosition = { nodeId: '', variables: {}, tries: 0 }
        const inputsInOrder: readonly FlowInput[] = [{ kind: 'begin' }, ...inputs]
        for (const [i, input] of inputsInOrder.entries()) {
          const index = i < 3 ? whole : left
          const world = worldOf(windows[i] ?? true, isApproved)
          const { steps, outcome } = advanceSession(index, place, input, world)
          if (steps.length > maxStepsOfAnAdvance) throw new Error(`${steps.length} steps in an advance`)
          const read = steps.filter(step => step.input !== null)
          if (read.length > 1) throw new Error('one message was read by two steps')
          if (read.length && input.kind !== 'message') throw new Error('a step read what nobody wrote')
          const isSpoken = ({ effect }: FlowStep) => effect?.kind === 'text' || effect?.kind === 'options'
          if (!world.isWindowOpen && steps.some(isSpoken)) throw new Error('it spoke outside of the window')
          const again = JSON.stringify(advanceSession(index, place, input, world))
          if (again !== JSON.stringify({ steps, outcome })) throw new Error('the same advance was another one')
          const last = steps.at(-1)
          if (outcome.kind !== 'waits') {
            if (outcome.kind === 'handedOff' && last && !isExplained(last, outcome) && outcome.reason !== 'nodeGone')
              if (outcome.reason !== 'flowGone')
                throw new Error(`${outcome.reason}, but its last step says ${last.why}`)
            return
          }
          const here = index.node(outcome.place.nodeId)
          if (outcome.for === 'window' && (world.isWindowOpen || last?.why !== 'windowClosed'))
            if (last?.why !== 'notAnAnswer') throw new Error('it is parked while the window is open')
          if (!here || !(isWaiting(here) || outcome.for === 'window')) throw new Error('it waits where nothing waits')
          if (outcome.until <= world.now) throw new Error('it waits for what is past')
          if ((outcome.place.inside?.length ?? 0) > maxInside) throw new Error('too deep inside')
          if (JSON.stringify(outcome.place.variables).length > 200_000) throw new Error('variables grow without end')
          place = outcome.place
        }
      }),
      runs,
    )
    t.end()
  },
)
