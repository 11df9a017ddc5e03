import type { Viewport } from '@xyflow/react'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { isLarge, stepWidthPx } from './rough-size.ts'

/** All of it. */
export const wholeView = { maxZoom: 1, padding: 0.15 }

const zoom = 0.85
/** Above is room for what is said of a chosen step. */
const edge = { x: 48, y: 96 }
/** How far left of and above the start something may stand so that it is in sight with the start. */
const reach = { x: 500, y: 250 }

/** Where a flow too large to be read as a whole is looked at first: from its start on, the same on every screen. */
export const beginningOf = ({ nodes }: Pick<FlowGraph, 'nodes'>): Viewport | undefined => {
  if (!isLarge({ nodes })) return undefined
  const start = nodes.find(({ type }) => type === 'start') ?? nodes[0]
  if (!start) return undefined
  const near = nodes.filter(({ x, y }) => x >= start.x - reach.x && y >= start.y - reach.y && x <= start.x + reach.x)
  const left = Math.min(start.x, ...near.map(({ x }) => x))
  const top = Math.min(start.y, ...near.map(({ y }) => y))
  return { x: edge.x - left * zoom, y: edge.y - top * zoom, zoom }
}

/** As much as most screens show of the canvas, in their own pixels. */
const screen = { width: 1480, height: 820 }
const step = { width: stepWidthPx, height: 260 }

/** Steps that are in sight at first on most screens. */
export const inFirstSight = (nodes: readonly FlowNode[], { x, y, zoom: scale }: Viewport): FlowNode[] =>
  nodes.filter(node => {
    const [left, top] = [node.x * scale + x, node.y * scale + y]
    return left < screen.width && top < screen.height && left + step.width * scale > 0 && top + step.height * scale > 0
  })

/** They, what leads to and from them, and where that begins and ends. */
export const firstPartOf = (graph: FlowGraph, view: Viewport): FlowGraph => {
  const seen = new Set(inFirstSight(graph.nodes, view).map(({ id }) => id))
  const edges = graph.edges.filter(({ from, to }) => seen.has(from) || seen.has(to))
  const tied = new Set([...seen, ...edges.flatMap(({ from, to }) => [from, to])])
  return { ...graph, nodes: graph.nodes.filter(({ id }) => tied.has(id)), edges }
}
