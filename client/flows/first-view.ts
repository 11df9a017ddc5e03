import type { FlowGraph } from '#shared/flow-graph.ts'
import { isLarge } from './rough-size.ts'

/** All of it. */
export const wholeView = { maxZoom: 1, padding: 0.15 }
/** The whole flow where it can be read so, else its beginning. */
export const firstView = (graph: FlowGraph) => {
  const start = isLarge(graph) ? graph.nodes.find(({ type }) => type === 'start') : undefined
  if (!start) return wholeView
  const near = graph.nodes.filter(({ x, y }) => Math.abs(x - start.x) <= 1100 && Math.abs(y - start.y) <= 500)
  return { ...wholeView, minZoom: 0.5, nodes: near.map(({ id }) => ({ id })) }
}
