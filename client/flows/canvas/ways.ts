import type { FlowGraph } from '#shared/flows/graph.ts'
import { isLarge, roughSize } from './rough-size.ts'

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** How far an edge stays away from steps, in canvas pixels. */
const gap = 20
const cornerRadius = 10

const isAcross = (box: Box, left: number, right: number) => box.left < right && box.right > left

/**
 * The height at which an edge crosses from `from` to `to` without running under a step of `others`. Undefined: its
 * direct way is free.
 */
export function laneOf(from: Point, to: Point, others: readonly Box[]): number | undefined {
  const isBack = to.x < from.x + 2 * gap
  const [left, right] = isBack ? [to.x - gap, from.x + gap] : [from.x + gap, to.x - gap]
  const [upper, lower] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  const near = others.filter(box => isAcross(box, left, right))
  if (!isBack && near.every(box => box.bottom < upper || box.top > lower)) return undefined
  const length = (y: number) => Math.abs(y - from.y) + Math.abs(y - to.y)
  return near
    .flatMap(box => [box.top - gap, box.bottom + gap])
    .sort((a, b) => length(a) - length(b))
    .find(y => near.every(box => y < box.top || y > box.bottom))
}

/** The lanes of edges by id, for flows that are drawn whole. */
export function lanesOf(graph: FlowGraph): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>()
  if (isLarge(graph)) return lanes
  const sizes = new Map(graph.nodes.map(node => [node.id, { node, ...roughSize(node) }]))
  const boxes = [...sizes.values()].map(({ node: { x, y }, measured }): Box => {
    return { left: x, top: y, right: x + measured.width, bottom: y + measured.height }
  })
  for (const { id, from, output, to } of graph.edges) {
    const [source, target] = [sizes.get(from), sizes.get(to)]
    const begin = source?.handles.find(handle => handle.id === output)
    if (!source || !target || !begin) continue
    const start = { x: source.node.x + begin.x, y: source.node.y + begin.y }
    const end = { x: target.node.x, y: target.node.y + target.measured.height / 2 }
    const lane = laneOf(start, end, boxes)
    if (lane !== undefined) lanes.set(id, lane)
  }
  return lanes
}

/** A path of straight lines with round corners: out to the right, along the lane, and in from the left. */
export function lanePath(from: Point, to: Point, lane: number): string {
  const points = [
    from,
    { x: from.x + gap, y: from.y },
    { x: from.x + gap, y: lane },
    { x: to.x - gap, y: lane },
    { x: to.x - gap, y: to.y },
    to,
  ]
  const towards = (a: Point, b: Point, by: number): Point => {
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
    const part = Math.min(by, length / 2) / length
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }
  }
  const corners = points.slice(1, -1).map((corner, i) => {
    const before = towards(corner, points[i] ?? corner, cornerRadius)
    const after = towards(corner, points[i + 2] ?? corner, cornerRadius)
    return `L${before.x},${before.y}Q${corner.x},${corner.y} ${after.x},${after.y}`
  })
  return `M${from.x},${from.y}${corners.join('')}L${to.x},${to.y}`
}
