import type { Viewport } from '@xyflow/react'
import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { isLarge, roughSize, stepWidthPx } from './rough-size.ts'

/** Fits the whole flow between the tools of the canvas, in screen pixels. */
const around = { x: 20, top: 64, bottom: 56 }
export const wholeView = {
  maxZoom: 1,
  padding: { x: `${around.x}px`, top: `${around.top}px`, bottom: `${around.bottom}px` },
} as const

/** The smallest zoom at which the text of steps, of 14 px, has 12 px on the screen. */
const zoom = 0.86
/** The top margin leaves space for the toolbar of a selected step. */
const edge = { x: 48, y: 96 }
/** A node may be this far left of and above the start to be visible together with it. */
const reach = { x: 500, y: 250 }

/** The initial view of a large flow: its start, at the same zoom on every screen. */
export const firstViewport = (graph: Pick<FlowGraph, 'nodes'>): Viewport | undefined =>
  isLarge(graph) ? startOf(graph) : undefined

/** The initial view of a flow whose text would be too small if all of it were shown: its start. */
export const readableStart = (
  graph: Pick<FlowGraph, 'nodes'>,
  board: { readonly width: number; readonly height: number },
): Viewport | undefined => {
  const [right, bottom] = graph.nodes.reduce(
    ([x, y], node) => {
      const { width, height } = roughSize(node).measured
      return [Math.max(x, node.x + width), Math.max(y, node.y + height)]
    },
    [-Infinity, -Infinity],
  )
  const width = right - Math.min(...graph.nodes.map(({ x }) => x))
  const height = bottom - Math.min(...graph.nodes.map(({ y }) => y))
  const view = startOf(graph)
  // The first step stands at the top left, because later steps are added to its right and below it.
  if (graph.nodes.length === 1) return view && { ...view, zoom: 1 }
  const room = { width: board.width - 2 * around.x, height: board.height - around.top - around.bottom }
  if (Math.min(room.width / width, room.height / height) >= zoom) return undefined
  return view && { ...view, y: middleOf(graph, view, board) ?? view.y }
}

/** The view's `y` with which all steps beside one another are in sight. Undefined: they are too high for that. */
const middleOf = (
  { nodes }: Pick<FlowGraph, 'nodes'>,
  { x }: Viewport,
  board: { readonly width: number; readonly height: number },
): number | undefined => {
  const shown = nodes.filter(node => node.x * zoom + x < board.width)
  const top = Math.min(...shown.map(({ y }) => y)) * zoom
  const bottom = Math.max(...shown.map(node => node.y + roughSize(node).measured.height)) * zoom
  const room = board.height - (bottom - top)
  return room < 2 * edge.x ? undefined : Math.max(room / 2, around.top) - top
}

const startOf = ({ nodes }: Pick<FlowGraph, 'nodes'>): Viewport | undefined => {
  const start = nodes.find(({ type }) => type === 'start') ?? nodes[0]
  if (!start) return undefined
  const near = nodes.filter(({ x, y }) => x >= start.x - reach.x && y >= start.y - reach.y && x <= start.x + reach.x)
  const left = Math.min(start.x, ...near.map(({ x }) => x))
  const top = Math.min(start.y, ...near.map(({ y }) => y))
  return { x: edge.x - left * zoom, y: edge.y - top * zoom, zoom }
}

/** The visible part of the canvas on most screens, in screen pixels. */
const screen = { width: 1480, height: 820 }
const step = { width: stepWidthPx, height: 260 }

/** Steps initially visible on most screens. */
export const inFirstSight = (nodes: readonly FlowNode[], { x, y, zoom: scale }: Viewport): FlowNode[] =>
  nodes.filter(node => {
    const [left, top] = [node.x * scale + x, node.y * scale + y]
    return left < screen.width && top < screen.height && left + step.width * scale > 0 && top + step.height * scale > 0
  })

/** The visible steps, their edges, and the nodes at the edges' other ends. */
export const firstPartOf = (graph: FlowGraph, view: Viewport): FlowGraph => {
  const seen = new Set(inFirstSight(graph.nodes, view).map(({ id }) => id))
  const edges = graph.edges.filter(({ from, to }) => seen.has(from) || seen.has(to))
  const tied = new Set([...seen, ...edges.flatMap(({ from, to }) => [from, to])])
  return { ...graph, nodes: graph.nodes.filter(({ id }) => tied.has(id)), edges }
}
