import t from 'tap'
import { tidyPlaces } from '#client/flows/canvas/layout.ts'
import { drawnEdges, outputLabels } from '#client/flows/canvas/lines.ts'
import { cardOutputs, outputHeights, roughSize, stepWidthPx } from '#client/flows/canvas/rough-size.ts'
import { type Point, plainTurns, svgPath, turnsOf, wayPoints, waysOf } from '#client/flows/canvas/ways.ts'
import { movePlaces } from '#client/flows/editor/draft/operations.ts'
import { starterKeys } from '#client/flows/starter-plans.ts'
import { starterOf } from '#client/flows/starters.ts'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'

const box = (left: number, top: number) => ({ left, top, right: left + 240, bottom: top + 120 })
const runsUnder = (points: readonly Point[], { left, top, right, bottom }: ReturnType<typeof box>): boolean =>
  points.slice(1).some((b, i) => {
    const a = points[i] ?? b
    return (
      Math.max(a.x, b.x) > left && Math.min(a.x, b.x) < right && Math.max(a.y, b.y) > top && Math.min(a.y, b.y) < bottom
    )
  })

const plenty = () => ({ left: 1_000_000 })

t.test('a line goes around a step between its ends', async t => {
  const boxes = [box(0, 0), box(400, 0), box(800, 0)]
  const [from, to] = [
    { x: 240, y: 60 },
    { x: 800, y: 19 },
  ]
  const points = wayPoints(from, to, turnsOf(from, to, 'c', { boxes, drawn: [], budget: plenty() }))
  t.notOk(boxes.some(one => runsUnder(points, one)))
  t.ok(runsUnder(wayPoints(from, to, plainTurns(from, to)), box(400, 0)), 'the plain one would run under it')
})

t.test('a line back keeps to a corridor between rows', async t => {
  const boxes = [box(0, 0), box(0, 300)]
  const [from, to] = [
    { x: 240, y: 100 },
    { x: 0, y: 319 },
  ]
  const points = wayPoints(from, to, turnsOf(from, to, 'b', { boxes, drawn: [], budget: plenty() }))
  t.notOk(boxes.some(one => runsUnder(points, one)))
})

t.test('lines to different steps do not cover each other, lines to one step may', async t => {
  const [a, b] = [
    { x: 0, y: 100 },
    { x: 0, y: 140 },
  ]
  const [upper, lower] = [
    { x: 400, y: 300 },
    { x: 400, y: 400 },
  ]
  const first = wayPoints(b, lower, turnsOf(b, lower, 'lower', { boxes: [], drawn: [], budget: plenty() }))
  const drawn = first.slice(1).map((end, i) => ({ a: first[i] ?? end, b: end, to: 'lower' }))
  const laneOf = (points: readonly Point[]) => points[1]?.x ?? 0
  const apart = wayPoints(a, upper, turnsOf(a, upper, 'upper', { boxes: [], drawn, budget: plenty() }))
  t.ok(laneOf(apart) > laneOf(first), 'the upper one turns later, so that they do not cross')
  t.equal(
    laneOf(wayPoints(a, lower, turnsOf(a, lower, 'lower', { boxes: [], drawn, budget: plenty() }))),
    laneOf(first),
  )
})

t.test('once nothing is left to compare with, lines are plain', async t => {
  const boxes = [box(0, 0), box(400, 0), box(800, 0)]
  const [from, to] = [
    { x: 240, y: 60 },
    { x: 800, y: 19 },
  ]
  const budget = { left: 100_000 }
  const drawn = Array.from({ length: 100_000 }, (_, i) => ({ a: { x: 0, y: i }, b: { x: 900, y: i }, to: 'other' }))
  turnsOf(from, to, 'c', { boxes, drawn, budget })
  t.ok(budget.left < 0 && budget.left > -1_000_000, 'the comparing ended')
  t.same(turnsOf(from, to, 'c', { boxes, drawn, budget }), plainTurns(from, to))
})

t.test('a path begins and ends at its handles', async t => {
  const [from, to] = [
    { x: 280, y: 100 },
    { x: 0, y: 360 },
  ]
  const path = svgPath(wayPoints(from, to, plainTurns(from, to)))
  t.match(path, /^M280,100L/)
  t.match(path, /L0,360$/)
  t.notMatch(path, /NaN/)
})

const message = (id: string, x: number, y: number): FlowNode => ({ id, type: 'message', text: id, x, y })

t.test('exceptions to a step that other lines reach are labels, and the last way to a step stays a line', async t => {
  const ask = (id: string): FlowNode => ({
    ...{ id, type: 'question', text: id, expects: 'text', variable: 'v', attempts: 3, timeoutMs: 1000, x: 0, y: 0 },
  })
  const graph: FlowGraph = {
    nodes: [ask('a'), ask('b'), { id: 'person', type: 'handoff', x: 0, y: 0 }, message('end', 0, 0)],
    edges: [
      { id: 'a-b', from: 'a', output: 'next', to: 'b' },
      { id: 'a-person', from: 'a', output: 'invalid', to: 'person' },
      { id: 'b-person', from: 'b', output: 'timeout', to: 'person' },
      { id: 'b-end', from: 'b', output: 'next', to: 'end' },
    ],
  }
  const drawn = drawnEdges(graph)
  t.same([...drawn.labels], ['b-person'])
  const labels = outputLabels(graph, drawn, node => node.id)
  t.match(labels.get('b'), [{ output: 'timeout', to: 'person', title: 'person', type: 'handoff' }])
})

t.test('a single continuation goes down to the step below, unless another one stands between', async t => {
  const edges = [{ id: 'e', from: 'a', output: 'next', to: 'b' }]
  const nodes = [message('a', 0, 0), message('b', 0, 300)]
  t.same([...drawnEdges({ nodes, edges }).down], ['a'])
  t.same([...drawnEdges({ nodes: [...nodes, message('c', 0, 150)], edges }).down], [])
  t.same([...drawnEdges({ nodes: [message('a', 0, 0), message('b', 400, 300)], edges }).down], [])
})

t.test('every starter is drawn without a line under a step', async t => {
  for (const key of starterKeys) {
    const { graph: before } = starterOf(key, 'es')
    const graph = movePlaces(before, tidyPlaces(before))
    const drawn = drawnEdges(graph)
    const boxes = graph.nodes.map(node => {
      const { height } = roughSize(node, drawn.down.has(node.id)).measured
      return { left: node.x, top: node.y, right: node.x + stepWidthPx, bottom: node.y + height }
    })
    const ways = waysOf(graph, drawn)
    for (const [id, { from, to, turns }] of ways)
      t.notOk(
        boxes.some(one => runsUnder(wayPoints(from, to, turns), one)),
        `${key}: ${id}`,
      )
  }
})

t.test('each output of a step leaves at a height of its own inside the card', async t => {
  const node: FlowNode = {
    ...{ id: 'b', type: 'buttons', text: 'Hola', timeoutMs: 1000, x: 0, y: 0 },
    options: ['a', 'b'].map(id => ({ id, title: id })),
  }
  const { height } = roughSize(node).measured
  const heights = [...outputHeights(cardOutputs(node, false), height).values()]
  t.equal(heights.length, 4)
  t.ok(heights.every((y, i) => y > (heights[i - 1] ?? 36) && y < height))
})
