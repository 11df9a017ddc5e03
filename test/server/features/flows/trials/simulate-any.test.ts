import fc from 'fast-check'
import t from 'tap'
import { simulate } from '#server/features/flows/trials/simulate.ts'
import { type FlowEdge, type FlowGraph, type FlowNode, indexGraph, outputsOf } from '#shared/flows/graph.ts'
import { firstFlowSettings } from '#shared/flows/settings.ts'
import { type SimulatedInput, simulationLimits, simulationStates } from '#shared/flows/testing/simulation.ts'

const ids = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'] as const
const words = ['Hola', '', 'Pan', '12', 'ana@x.com', '{{flujo.x}}', 'menú', 'salir', 'persona'] as const
const frame = { x: 0, y: 0 }
const timeout = fc.constantFrom(0, 0, 60_000, 3_600_000)

const contents = fc.oneof(
  fc.record({ type: fc.constant('message'), text: fc.constantFrom(...words) }),
  fc.record({
    type: fc.constant('question'),
    text: fc.constantFrom('¿Qué?', ''),
    expects: fc.constantFrom('text', 'number', 'email'),
    variable: fc.constantFrom('x', 'y'),
    attempts: fc.integer({ min: 1, max: 3 }),
    timeoutMs: timeout,
  }),
  fc.record({
    type: fc.constant('buttons'),
    text: fc.constant('¿Cuál?'),
    options: fc.constant([
      { id: 'a', title: 'Pan' },
      { id: 'b', title: 'Torta' },
    ]),
    variable: fc.constant('x'),
    timeoutMs: timeout,
  }),
  fc.record({
    type: fc.constant('condition'),
    all: fc.boolean(),
    rules: fc.constant([{ left: 'variable', name: 'flujo.x', op: 'isSet' }]),
  }),
  fc.record({ type: fc.constant('set'), variable: fc.constant('x'), value: fc.constantFrom(...words) }),
  fc.record({
    type: fc.constant('tag'),
    action: fc.constantFrom('add', 'remove'),
    tagId: fc.constantFrom('t', 'gone'),
  }),
  fc.record({
    type: fc.constant('wait'),
    ms: fc.constantFrom(0, 1000, 30_000, 3_600_000, 108_000_000),
  }),
  fc.record({ type: fc.constant('goto'), nodeId: fc.constantFrom(...ids, 'gone') }),
  fc.record({ type: fc.constant('handoff') }),
  fc.record({ type: fc.constant('close') }),
  fc.record({ type: fc.constant('end') }),
)
const graphs = fc
  .tuple(
    fc.array(contents, { minLength: 1, maxLength: ids.length }),
    fc.array(fc.constantFrom(...ids), { minLength: 40, maxLength: 40 }),
  )
  .map(([drawn, targets]): FlowGraph => {
    const nodes = [
      { id: 's', type: 'start', ...frame },
      ...drawn.map((content, i) => ({ ...content, ...frame, id: ids[i] })),
    ] as FlowNode[]
    const ends = nodes.flatMap(node => outputsOf(node).map(output => ({ from: node.id, output })))
    const edges = ends.map((end, i): FlowEdge => ({ ...end, id: `e${i}`, to: targets[i % targets.length] ?? 'n0' }))
    return { nodes, edges }
  })
const inputs: fc.Arbitrary<SimulatedInput[]> = fc.array(
  fc.oneof(
    fc.constantFrom(...words.filter(Boolean)).map(text => ({ kind: 'text', text }) as const),
    fc.constantFrom(1, 60_000, 4 * 3_600_000, 26 * 3_600_000).map(ms => ({ kind: 'advance', ms }) as const),
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom('a', 'b', 'old'))
      .map(([nodeId, optionId]) => ({ kind: 'option', nodeId, optionId }) as const),
    fc.constant({ kind: 'file' } as const),
  ),
  { maxLength: 8 },
)

const play = (graph: FlowGraph, said: readonly SimulatedInput[]) =>
  simulate({
    graph: indexGraph(graph),
    from: '2026-11-20T12:00:00.000Z',
    opening: undefined,
    inputs: said,
    timeZone: 'America/Argentina/Buenos_Aires',
    builtIn: { 'contacto.nombre': 'Ana', 'contacto.telefono': '54911', 'agente.nombre': '', 'org.nombre': 'Trigal' },
    tagIds: [],
    knownTagIds: ['t'],
    isOpen: () => true,
    giveWay: () => undefined,
    settings: firstFlowSettings,
  } as unknown as Parameters<typeof simulate>[0])

t.test('for any drawing and messages a simulation ends, tells its state, and is repeatable', async t => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(graphs, inputs, async (graph, said) => {
        const played = await play(graph, said)
        const isWaiting = ['waitingAnswer', 'waitingTime', 'parked'].includes(played.state)
        // At most one advance beyond the limit.
        if (played.steps.length > simulationLimits.steps + 60) return false
        if (isWaiting !== (played.dueAt !== null) || isWaiting !== (played.nodeId !== null)) return false
        if (played.dueAt !== null && played.dueAt < played.now) return false
        if ((played.state === 'handedOff') !== (played.handoff !== null)) return false
        if (played.steps.some(({ at }, i) => i > 0 && at < (played.steps[i - 1]?.at ?? ''))) return false
        return JSON.stringify(await play(graph, said)) === JSON.stringify(played)
      }),
      { numRuns: 800 },
    ),
  )
})

/** A flow of the given nodes, each joined to the next by all of its outputs. */
const chain = (...drawn: Record<string, unknown>[]): FlowGraph => {
  const nodes = [{ id: 's', type: 'start' }, ...drawn.map((content, i) => ({ ...content, id: ids[i] }))].map(node => ({
    ...frame,
    ...node,
  })) as FlowNode[]
  const edges = nodes
    .slice(0, -1)
    .flatMap((node, i) =>
      outputsOf(node).map((output): FlowEdge => ({ id: `${i}${output}`, from: node.id, output, to: ids[i] ?? 'n0' })),
    )
  return { nodes, edges }
}

t.test('a simulation reaches each of its states', async t => {
  const [ask, hour, day] = [
    { type: 'question', text: '¿Qué?', expects: 'text', variable: 'x', attempts: 1, timeoutMs: 0 },
    { type: 'wait', ms: 3_600_000 },
    { type: 'wait', ms: 108_000_000 },
  ]
  const again = { type: 'goto', nodeId: 'n0' }
  const late: SimulatedInput = { kind: 'advance', ms: 40 * 3_600_000 }
  const cases: [string, FlowGraph, SimulatedInput[]][] = [
    ['waitingAnswer', chain(ask), []],
    ['waitingTime', chain(hour), []],
    ['finished', chain({ type: 'message', text: 'Hola' }), []],
    ['handedOff', chain({ type: 'handoff' }), []],
    ['left', chain(ask), [{ kind: 'text', text: 'salir' }]],
    ['expired', chain(ask), [{ kind: 'advance', ms: 26 * 3_600_000 }]],
    ['parked', chain(day, { type: 'message', text: 'Hola' }), [late]],
    ['tooLong', chain({ type: 'wait', ms: 1000 }, again), Array.from({ length: 8 }, () => late)],
  ]
  for (const [state, graph, said] of cases) t.equal((await play(graph, said)).state, state)
  t.same(cases.map(([state]) => state).sort(), [...simulationStates].sort())
})

t.test('later inputs never change earlier results', async t => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(graphs, inputs, inputs, async (graph, said, more) => {
        const [before, after] = [await play(graph, said), await play(graph, [...said, ...more])]
        return (
          JSON.stringify(after.transcript.slice(0, before.transcript.length)) === JSON.stringify(before.transcript) &&
          JSON.stringify(after.steps.slice(0, before.steps.length)) === JSON.stringify(before.steps)
        )
      }),
      { numRuns: 300 },
    ),
  )
})
