import t from 'tap'
import { outputLabel } from '#client/flows/words.ts'
import { nodeFigures } from '#server/features/flows/runs/figures.ts'
import { advanceSession } from '#server/features/flows/step/advance-session.ts'
import type { FlowWorld } from '#server/features/flows/step/advance-types.ts'
import { simulate } from '#server/features/flows/trials/simulate.ts'
import { readGraph, showGraph } from '#shared/flows/exchange.ts'
import { type FlowGraph, type FlowNode, indexGraph, type NodeOf } from '#shared/flows/graph.ts'
import { split } from '#shared/flows/nodes/split.ts'
import type { FlowFacts } from '#shared/flows/problems/problem.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import { firstFlowSettings } from '#shared/flows/settings.ts'

const at = { x: 0, y: 0 }
const ab = (weights: readonly number[]) => ({
  ...{ id: 'n', type: 'split' as const },
  branches: weights.map((weight, i) => ({ id: `b${i}`, weight })),
})
const graphWith = (weights: readonly number[]): FlowGraph => ({
  nodes: [
    { ...at, id: 's', type: 'start' },
    { ...at, ...ab(weights) },
    ...weights.map((_, i): FlowNode => ({ ...at, id: `m${i}`, type: 'message', text: `Camino ${i}`, ends: ['next'] })),
  ],
  edges: [
    { id: 'e', from: 's', output: 'next', to: 'n' },
    ...weights.map((_, i) => ({ id: `e${i}`, from: 'n', output: `b${i}`, to: `m${i}` })),
  ],
})
const graph = graphWith([50, 50])

t.test('customers are split by the weights, each the same way at every visit', async t => {
  for (const weights of [
    [50, 50],
    [90, 10],
    [20, 30, 50],
    [25, 25, 25, 25],
  ]) {
    const node = { ...ab(weights), x: 0, y: 0 }
    const counts = new Map<string, number>()
    for (let i = 0; i < 10_000; i += 1) {
      const chosen = split.choose(node, `conversation-${i}`)
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
      if (i % 500 === 0) t.equal(split.choose(node, `conversation-${i}`), chosen)
    }
    for (const [i, weight] of weights.entries()) {
      const percent = (counts.get(`b${i}`) ?? 0) / 100
      t.ok(Math.abs(percent - weight) < 2, `${weights}: ${percent} % take the path of ${weight} %`)
    }
  }
  const first = { ...ab([50, 50]), x: 0, y: 0 }
  const second = { ...first, id: 'm' }
  const both = Array.from({ length: 1000 }, (_, i) => split.choose(first, `${i}`) === split.choose(second, `${i}`))
  const same = both.filter(Boolean).length
  t.ok(same > 400 && same < 600, `two tests in a row are independent: ${same} of 1000 take the same path in both`)
})

t.test('its paths are called A to D, and come back from a file as they were', async t => {
  const node = readGraph(showGraph(graph)).nodes.find(({ id }) => id === 'n') as NodeOf<'split'>
  t.same(node.branches, ab([50, 50]).branches)
  const t0 = ((key: string) => key) as unknown as Parameters<typeof outputLabel>[0]
  t.same(
    node.branches.map(({ id }) => outputLabel(t0, node, id)),
    ['A', 'B'],
  )
})

const builtIn = { 'contacto.nombre': '', 'contacto.telefono': '', 'agente.nombre': '', 'org.nombre': '' }
const around = { timeZone: 'UTC', builtIn, tagIds: [], knownTagIds: [], listLabel: '' }
const world = (customerId: string) =>
  ({
    ...around,
    ...{ now: '2026-11-28T12:00:00.000Z', customerId, isOpen: true, isWindowOpen: true, expiresAfterHours: 4 },
    builtIn: { ...builtIn, ultimo_mensaje: '' },
  }) as unknown as FlowWorld

t.test('a flow goes on where its customer belongs, and each path has its count', async t => {
  const nowhere = { nodeId: '', variables: {}, tries: 0 }
  const turnOf = (customerId: string) =>
    advanceSession(indexGraph(graph), nowhere, { kind: 'begin' }, world(customerId))
  const outputs = Array.from({ length: 40 }, (_, i) => {
    const { steps, outcome } = turnOf(`c${i}`)
    t.same(outcome, { kind: 'finished' })
    const [, chosen, said] = steps
    t.equal(said?.nodeId, chosen?.output?.replace('b', 'm'), 'what stands on the path is said')
    t.same(turnOf(`c${i}`).steps, steps, 'the same again')
    return chosen?.output ?? null
  })
  const counts = outputs.map(output => ({ nodeId: 'n', output, why: null, ended: null, count: 1 }))
  const [node] = nodeFigures(counts, [])
  t.equal(node?.entered, 40)
  const taken = (output: string) => outputs.filter(one => one === output).length
  t.same(new Map(node?.outputs.map(one => [one.output, one.count])), new Map(['b0', 'b1'].map(id => [id, taken(id)])))
  t.ok(taken('b0') > 8 && taken('b1') > 8, 'customers take both paths')
})

t.test('it is played the same way for the same conversation, and both ways for others', async t => {
  const play = (second: number) =>
    simulate({
      ...around,
      ...{ graph: indexGraph(graph), opening: 'hola', inputs: [], settings: firstFlowSettings },
      from: `2026-11-28T12:00:${String(second).padStart(2, '0')}.000Z`,
      isOpen: () => true,
      giveWay: () => undefined,
    } as unknown as Parameters<typeof simulate>[0])
  const ways = new Set<string>()
  for (let second = 0; second < 20; second += 1) {
    const { path } = await play(second)
    t.same((await play(second)).path, path)
    ways.add(path.join())
  }
  t.same([...ways].sort(), ['s,n,m0', 's,n,m1'])
})

t.test('weights that are not 100 together, and one path alone, are not published', async t => {
  const facts = { tagIds: [], teamIds: [], memberIds: [], flows: [], flowId: 'f' } as unknown as FlowFacts
  const errors = (weights: readonly number[]) =>
    problemsOf({ graph: graphWith(weights), triggers: [] }, facts).flatMap(({ isError, field, code, params }) =>
      isError ? [{ field, code, params }] : [],
    )
  t.same(errors([50, 50]), [])
  t.same(errors([20, 30, 50]), [])
  t.same(errors([50, 40]), [{ field: 'branches', code: 'weightsTotal', params: { total: 90 } }])
  t.same(errors([99]), [{ field: 'branches', code: 'branchesCount', params: { min: 2, max: 4 } }])
})
