import t from 'tap'
import { newNode } from '#client/flows/editor/draft/draft.ts'
import {
  changeNode,
  connect,
  copyParts,
  disconnect,
  insertAt,
  pasteParts,
  removeParts,
  renewParts,
} from '#client/flows/editor/draft/operations.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'

const place = { x: 0, y: 0 }
const graph: FlowGraph = {
  nodes: [
    { id: 'start', type: 'start', ...place },
    { id: 'a', type: 'message', text: 'A', ...place },
    { id: 'b', type: 'message', text: 'B', ...place },
    {
      id: 'menu',
      type: 'buttons',
      text: '?',
      options: [
        { id: 'yes', title: 'Sí' },
        { id: 'no', title: 'No' },
      ],
      timeoutMs: 3_600_000,
      ends: ['timeout', 'no'],
      ...place,
    },
  ],
  edges: [
    { id: '1', from: 'start', output: 'next', to: 'a' },
    { id: '2', from: 'a', output: 'next', to: 'b' },
    { id: '3', from: 'b', output: 'next', to: 'menu' },
    { id: '4', from: 'menu', output: 'yes', to: 'a' },
  ],
}
const ways = ({ edges }: FlowGraph) => edges.map(({ from, output, to }) => `${from}.${output}>${to}`).sort()

t.test('an output has one target: reconnecting replaces it, and removes its end mark', async t => {
  const led = connect(graph, { from: 'menu', output: 'no' }, 'b')
  t.same(ways(led), ['a.next>b', 'b.next>menu', 'menu.no>b', 'menu.yes>a', 'start.next>a'])
  t.same(led.nodes.at(-1)?.ends, ['timeout'])
  t.same(ways(connect(led, { from: 'menu', output: 'no' }, 'a')).includes('menu.no>b'), false)
})

t.test('a disconnected output is marked as an end only on purpose', async t => {
  const open = disconnect(graph, { from: 'a', output: 'next' })
  t.equal(open.nodes[1]?.ends, undefined)
  t.same(disconnect(graph, { from: 'a', output: 'next' }, true).nodes[1]?.ends, ['next'])
  t.equal(ways(open).includes('a.next>b'), false)
})

t.test('a step is inserted between two; one without an output is not', async t => {
  const message = newNode('message', place)
  const between = insertAt(graph, message, { from: 'a', output: 'next' })
  t.ok(ways(between).includes(`a.next>${message.id}`))
  t.ok(ways(between).includes(`${message.id}.next>b`))
  const end = newNode('end', place)
  const ended = insertAt(graph, end, { from: 'a', output: 'next' })
  t.ok(ways(ended).includes(`a.next>${end.id}`))
  t.equal(
    ended.edges.some(({ to }) => to === 'b'),
    false,
  )
})

t.test('removing a step connects its predecessors to its successor', async t => {
  t.same(ways(removeParts(graph, ['a', 'b'])), ['menu.yes>menu', 'start.next>menu'].slice(1))
  t.equal(removeParts(graph, ['start']).nodes.length, graph.nodes.length)
})

t.test('a removed option takes its edge and its end mark along', async t => {
  const changed = changeNode(graph, 'menu', { options: [{ id: 'no', title: 'No' }] })
  t.equal(ways(changed).includes('menu.yes>a'), false)
  t.same(changed.nodes.at(-1)?.ends, ['timeout', 'no'])
  const withoutTimeout = changeNode(graph, 'menu', { timeoutMs: 0 })
  t.same(withoutTimeout.nodes.at(-1)?.ends, ['no'])
})

t.test('an omitted field is absent, not undefined', async t => {
  const named = changeNode(graph, 'a', { name: 'Saludo' })
  t.equal(named.edges, graph.edges, 'what leads on did not change')
  t.equal(named.nodes[1]?.name, 'Saludo')
  t.notOk('name' in (changeNode(named, 'a', { name: undefined }).nodes[1] ?? {}))
})

t.test('pasted steps have new ids and keep their inner edges', async t => {
  const copied = copyParts(graph, ['start', 'a', 'b'])
  t.same(
    copied.nodes.map(({ id }) => id),
    ['a', 'b'],
  )
  const fresh = renewParts(copied)
  const pasted = pasteParts(graph, fresh, { from: 'menu', output: 'no' })
  t.equal(new Set(pasted.nodes.map(({ id }) => id)).size, graph.nodes.length + 2)
  t.ok(ways(pasted).includes(`${fresh.nodes[0]?.id}.next>${fresh.nodes[1]?.id}`))
  t.ok(ways(pasted).includes(`menu.no>${fresh.nodes[0]?.id}`))
})
