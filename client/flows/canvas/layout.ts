import type { Places } from '#client/flows/editor/operations.ts'
import { orderOf, outlineOf } from '#client/flows/outline/outline-tree.ts'
import { type FlowEdge, type FlowGraph, outputsOf } from '#shared/flows/graph.ts'

const gap = { x: 340, y: 40 }
/** The approximate height of a node: its header and text, and a line per output. */
const heightOf = (outputs: number) => 116 + outputs * 28

/**
 * Positions for all nodes, left to right: a node is one column after the last of its predecessors, nodes of a column in
 * the order of the outline. Edges back are ignored.
 */
export function tidyPlaces(graph: FlowGraph): Places {
  const order = orderOf(outlineOf(graph))
  const column = new Map<string, number>()
  const nodes = new Map(graph.nodes.map(node => [node.id, node]))
  const leaving = Map.groupBy(graph.edges, ({ from }) => from)
  const seen = new Map<string, 'open' | 'done'>()
  const back = new Set<FlowEdge>()
  const behind: string[] = []
  const visit = (id: string): void => {
    seen.set(id, 'open')
    for (const edge of leaving.get(id) ?? [])
      if (seen.get(edge.to) === 'open') back.add(edge)
      else if (!seen.has(edge.to) && nodes.has(edge.to)) visit(edge.to)
    seen.set(id, 'done')
    behind.push(id)
  }
  for (const id of order) if (!seen.has(id)) visit(id)
  // Predecessors before successors.
  for (const id of behind.toReversed()) {
    const here = column.get(id) ?? 0
    for (const edge of leaving.get(id) ?? [])
      if (!back.has(edge)) column.set(edge.to, Math.max(column.get(edge.to) ?? 0, here + 1))
  }
  const places: Record<string, { x: number; y: number }> = {}
  const bottoms = new Map<number, number>()
  for (const id of order) {
    const at = column.get(id) ?? 0
    const y = bottoms.get(at) ?? 0
    places[id] = { x: at * gap.x, y }
    const node = nodes.get(id)
    bottoms.set(at, y + heightOf(node ? outputsOf(node).length : 0) + gap.y)
  }
  return places
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
    free = at + (as === 'column' ? heightOf(outputsOf(node).length) + gap.y : gap.x)
  }
  return places
}
