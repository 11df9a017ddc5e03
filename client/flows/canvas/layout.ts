import type { FlowEdge, FlowGraph } from '#shared/flows/graph.ts'
import type { OutputPlace } from '../editor/draft/draft.ts'
import type { Places } from '../editor/draft/operations.ts'
import { outlineOf, stepsInOrder } from '../outline/outline-tree.ts'
import { edgesWithLine } from './lines.ts'
import { roughSize, stepWidthPx } from './rough-size.ts'

const gap = { x: stepWidthPx + 88, y: 44 }
/** Steps that stand below one another before the next goes to the right. */
const longestColumn = 4

interface Plan {
  readonly order: readonly string[]
  readonly column: ReadonlyMap<string, number>
  /** The step above, which leads to this one. */
  readonly above: ReadonlyMap<string, string>
  readonly before: ReadonlyMap<string, readonly FlowEdge[]>
}

/** The column of each step: a branch goes to the right, a single continuation down. Edges back are ignored. */
function planOf(graph: FlowGraph): Plan {
  const order = stepsInOrder(outlineOf(graph))
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const lines = edgesWithLine(graph).filter(({ from, to }) => nodes.has(from) && nodes.has(to))
  const leaving = Map.groupBy(lines, ({ from }) => from)
  const seen = new Map<string, 'open' | 'done'>()
  const back = new Set<FlowEdge>()
  const behind: string[] = []
  const visit = (id: string): void => {
    seen.set(id, 'open')
    for (const edge of leaving.get(id) ?? [])
      if (seen.get(edge.to) === 'open') back.add(edge)
      else if (!seen.has(edge.to)) visit(edge.to)
    seen.set(id, 'done')
    behind.push(id)
  }
  for (const id of order) if (!seen.has(id)) visit(id)
  const ahead = lines.filter(edge => !back.has(edge))
  const before = Map.groupBy(ahead, ({ to }) => to)
  const column = new Map<string, number>()
  const above = new Map<string, string>()
  const depth = new Map<string, number>()
  // Predecessors before successors.
  for (const id of behind.toReversed()) {
    const here = column.get(id) ?? 0
    for (const edge of leaving.get(id) ?? []) {
      if (back.has(edge)) continue
      const steps = (depth.get(id) ?? 1) + 1
      const isDown = edge.output === 'next' && before.get(edge.to)?.length === 1 && steps <= longestColumn
      if (isDown) {
        above.set(edge.to, id)
        depth.set(edge.to, steps)
      }
      column.set(edge.to, Math.max(column.get(edge.to) ?? 0, isDown ? here : here + 1))
    }
  }
  return { order, column, above, before }
}

/**
 * Positions for all nodes, in columns from left to right. A step and those that follow below it stay together, beside
 * the step that leads to them.
 */
export function tidyPlaces(graph: FlowGraph): Places {
  const { order, column, above, before } = planOf(graph)
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const below = new Map([...above].map(([id, upper]) => [upper, id]))
  const heightOf = (id: string): number => {
    const node = nodes.get(id)
    return node ? Math.ceil(roughSize(node, below.has(id)).measured.height) : 0
  }
  const places: Record<string, { x: number; y: number }> = {}
  const tops = new Map<string, number>()
  const bottoms = new Map<number, number>()
  const heads = order.filter(id => !above.has(id))
  const last = Math.max(0, ...column.values())
  for (let at = 0; at <= last; at++) {
    const beside = (id: string): number => {
      const [parent] = before.get(id) ?? []
      return parent ? (tops.get(parent.from) ?? 0) : Number.POSITIVE_INFINITY
    }
    // A step that no line leads to stands below the others of its column.
    const here = heads.filter(id => (column.get(id) ?? 0) === at)
    here.sort((a, b) => (beside(a) === beside(b) ? 0 : beside(a) - beside(b)))
    for (const head of here) {
      const bottom = bottoms.get(at)
      const wanted = beside(head)
      let y = Number.isFinite(wanted) ? wanted : (bottom ?? 0)
      if (bottom !== undefined) y = Math.max(y, bottom)
      const top = y
      for (let id: string | undefined = head; id !== undefined; id = below.get(id)) {
        places[id] = { x: at * gap.x, y }
        tops.set(id, top)
        y += heightOf(id) + gap.y
      }
      bottoms.set(at, y)
    }
  }
  return places
}

/** An estimate for a step that is not there yet: most have a text and two outputs. */
const newHeight = 160

/**
 * Returns the position of a new step. It stands below the step that it continues if that space is free, otherwise to
 * its right, below the steps that stand there. Without `place` it stands below everything.
 */
export function newPlace(graph: FlowGraph, place: OutputPlace | undefined): { x: number; y: number } {
  const boxes = graph.nodes.map(node => ({ node, bottom: node.y + Math.ceil(roughSize(node).measured.height) }))
  const from = boxes.find(({ node }) => node.id === place?.from)
  if (!from || !place) return { x: 0, y: Math.max(-gap.y, ...boxes.map(({ bottom }) => bottom)) + gap.y }
  const blocks = (x: number, y: number) =>
    boxes.filter(
      ({ node, bottom }) => Math.abs(node.x - x) < stepWidthPx + 20 && node.y < y + newHeight && bottom + 20 > y,
    )
  const below = { x: from.node.x, y: from.bottom + gap.y }
  if (place.output === 'next' && !blocks(below.x, below.y).length) return below
  const at = { x: from.node.x + gap.x, y: from.node.y }
  for (let there = blocks(at.x, at.y); there.length; there = blocks(at.x, at.y))
    at.y = Math.max(...there.map(({ bottom }) => bottom)) + gap.y
  return at
}

/** Positions of some steps in one line, in their current order, without overlaps. */
export function alignedPlaces(graph: FlowGraph, ids: readonly string[], as: 'column' | 'row'): Places {
  const [across, along] = as === 'column' ? (['x', 'y'] as const) : (['y', 'x'] as const)
  const chosen = graph.nodes.filter(({ id }) => ids.includes(id)).sort((a, b) => a[along] - b[along])
  const line = Math.min(...chosen.map(one => one[across]))
  const places: Record<string, { x: number; y: number }> = {}
  let free = Number.NEGATIVE_INFINITY
  for (const node of chosen) {
    const at = Math.max(node[along], free)
    places[node.id] = as === 'column' ? { x: line, y: at } : { x: at, y: line }
    free = at + (as === 'column' ? Math.ceil(roughSize(node).measured.height) + gap.y : gap.x)
  }
  return places
}
