import t from 'tap'
import { firstPartOf, firstViewport, inFirstSight, readableStart } from '#client/flows/canvas/first-view.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'

const at = (id: string, x: number, y: number): FlowNode => ({ id, type: 'message', text: id, x, y })
const rows = (count: number): FlowNode[] =>
  Array.from({ length: count }, (_, i) => at(`n${i}`, 340 * (i % 25), 220 * (1 + Math.floor(i / 25))))

t.test('a small flow is shown whole', async t => {
  t.equal(firstViewport({ nodes: [{ id: 's', type: 'start', x: 0, y: 0 }, ...rows(40)] }), undefined)
})

t.test('a large flow opens at its start, with nodes slightly left and above visible', async t => {
  const start: FlowNode = { id: 's', type: 'start', x: 5000, y: 30_000 }
  const view = firstViewport({ nodes: [start, at('near', 4600, 29_900), at('far', -9000, -9000), ...rows(400)] })
  if (!view) return t.fail('it has no beginning')
  const shown = (x: number, y: number) => ({ x: x * view.zoom + view.x, y: y * view.zoom + view.y })
  const left = shown(4600, 29_900)
  t.ok(left.x > 0 && left.x < 100 && left.y > 0 && left.y < 100)
  const { x, y } = shown(5000, 30_000)
  t.ok(x > 0 && x < 600 && y > 0 && y < 400, 'the start is in the smallest window')
})

t.test('a flow without a start opens at its first step', async t => {
  t.ok(firstViewport({ nodes: rows(100) }))
})

t.test('of the largest flow one screenful is rendered first, with both ends of its edges', async t => {
  const nodes: FlowNode[] = [{ id: 's', type: 'start', x: 0, y: 0 }, ...rows(499)]
  const edges = Array.from({ length: 498 }, (_, i) => ({ id: `e${i}`, from: `n${i}`, output: 'next', to: `n${i + 1}` }))
  const graph: FlowGraph = { nodes, edges }
  const view = firstViewport(graph)
  if (!view) return t.fail('it has no beginning')
  const seen = inFirstSight(nodes, view)
  t.ok(seen.length > 10 && seen.length < 50, `${seen.length} are drawn`)
  t.ok(seen.some(({ type }) => type === 'start'))
  const part = firstPartOf(graph, view)
  const there = new Set(part.nodes.map(({ id }) => id))
  t.ok(part.edges.length > 10 && part.edges.every(({ from, to }) => there.has(from) && there.has(to)))
  t.ok(there.has('n24'), 'the last of the first row leads to the first of the second')
})

t.test('a flow opens at its start where its text would be too small as a whole', async t => {
  const nodes = [{ id: 's', type: 'start', x: 0, y: 0 }, at('next', 400, 0), at('third', 800, 0)]
  const graph = { nodes } as Parameters<typeof readableStart>[0]
  t.equal(readableStart(graph, { width: 1400, height: 800 }), undefined, 'all of it is readable')
  const view = readableStart(graph, { width: 900, height: 800 })
  t.ok(view && view.zoom * 14 >= 12)
  t.ok(view && view.x >= 0 && view.x < 900, 'the start is in sight')
})
