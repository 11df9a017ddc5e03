import { type FlowEdge, type FlowGraph, type FlowNode, outputsOf, renamedNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { StepColor } from '#shared/flows/nodes/kind.ts'
import { mainOutput, type OutputPlace } from './draft.ts'
import { newPartId } from './part-id.ts'

/** Every change returns a new graph that shares unchanged objects, so a long history costs little. */
const isAt =
  ({ from, output }: OutputPlace) =>
  (edge: FlowEdge) =>
    edge.from === from && edge.output === output

const withNode = (graph: FlowGraph, id: string, change: (node: FlowNode) => FlowNode): FlowGraph => ({
  ...graph,
  nodes: graph.nodes.map(node => (node.id === id ? change(node) : node)),
})

const withoutEnd = (node: FlowNode, output: string): FlowNode => {
  if (!node.ends?.includes(output)) return node
  const ends = node.ends.filter(one => one !== output)
  const { ends: _, ...rest } = node
  return (ends.length ? { ...rest, ends } : rest) as FlowNode
}

/** Connects an output to a node; its former connection is removed. */
export function connect(graph: FlowGraph, place: OutputPlace, to: string): FlowGraph {
  const edges = [...graph.edges.filter(edge => !isAt(place)(edge)), { id: newPartId(), ...place, to }]
  return withNode({ ...graph, edges }, place.from, node => withoutEnd(node, place.output))
}

/** Removes an output's connection; `isEnd`: the flow ends there on purpose. */
export function disconnect(graph: FlowGraph, place: OutputPlace, isEnd = false): FlowGraph {
  const edges = graph.edges.filter(edge => !isAt(place)(edge))
  return withNode({ ...graph, edges }, place.from, node => {
    const open = withoutEnd(node, place.output)
    return isEnd ? { ...open, ends: [...(open.ends ?? []), place.output] } : open
  })
}

/** Inserts a node at an output: the former successor follows the node, unless the node has no output. */
export function insertAt(graph: FlowGraph, node: FlowNode, place: OutputPlace): FlowGraph {
  const after = graph.edges.find(isAt(place))
  const added = connect({ ...graph, nodes: [...graph.nodes, node] }, place, node.id)
  const output = mainOutput(node)
  return after && output ? connect(added, { from: node.id, output }, after.to) : added
}

export const addNode = (graph: FlowGraph, node: FlowNode): FlowGraph => ({ ...graph, nodes: [...graph.nodes, node] })

/** The same array if all edges stay, so that typing renders no edge again. */
const pruned = (edges: readonly FlowEdge[], node: FlowNode): readonly FlowEdge[] => {
  const outputs = outputsOf(node)
  const isLost = (edge: FlowEdge) => edge.from === node.id && !outputs.includes(edge.output)
  return edges.some(isLost) ? edges.filter(edge => !isLost(edge)) : edges
}

/** Changes a node's content; a removed output takes its edge along. */
export function changeNode(graph: FlowGraph, id: string, part: Partial<FlowNode>): FlowGraph {
  const changed = withNode(graph, id, node => {
    const next = { ...node, ...part } as FlowNode
    for (const [key, value] of Object.entries(part))
      if (value === undefined) delete (next as unknown as Record<string, unknown>)[key]
    const kept = next.ends?.filter(output => outputsOf(next).includes(output))
    if (!next.ends || kept?.length === next.ends.length) return next
    const { ends: _, ...rest } = next
    return (kept?.length ? { ...rest, ends: kept } : rest) as FlowNode
  })
  const node = changed.nodes.find(one => one.id === id)
  return node ? { ...changed, edges: pruned(changed.edges, node) } : changed
}

/** Positions of nodes and notes by id, in canvas pixels. */
export type Places = Readonly<Record<string, { readonly x: number; readonly y: number }>>

export const movePlaces = (graph: FlowGraph, places: Places): FlowGraph => {
  const moved = <T extends { id: string }>(one: T): T => ({ ...one, ...places[one.id] })
  return { ...graph, nodes: graph.nodes.map(moved), ...(graph.notes ? { notes: graph.notes.map(moved) } : {}) }
}

/** The new target of edges to a removed node: its successor, skipping other removed ones. */
const successorOf = (graph: FlowGraph, id: string, gone: ReadonlySet<string>): string | undefined => {
  const seen = new Set<string>()
  let at: string | undefined = id
  while (at !== undefined && gone.has(at) && !seen.has(at)) {
    seen.add(at)
    const from: string = at
    at = graph.edges.find(isAt({ from, output: 'next' }))?.to
  }
  return at !== undefined && gone.has(at) ? undefined : at
}

/** Removes nodes and notes. The start stays; a step's predecessors are connected to its successor. */
export function removeParts(graph: FlowGraph, ids: readonly string[]): FlowGraph {
  const gone = new Set(ids.filter(id => graph.nodes.find(node => node.id === id)?.type !== 'start'))
  const edges = graph.edges.flatMap(edge => {
    if (gone.has(edge.from)) return []
    if (!gone.has(edge.to)) return [edge]
    const to = successorOf(graph, edge.to, gone)
    return to === undefined || to === edge.from ? [] : [{ ...edge, to }]
  })
  return {
    nodes: graph.nodes.filter(({ id }) => !gone.has(id)),
    edges,
    ...(graph.notes ? { notes: graph.notes.filter(({ id }) => !gone.has(id)) } : {}),
  }
}

/** A copy: nodes and the edges between them. */
export type Fragment = Pick<FlowGraph, 'nodes' | 'edges'>

/** The start is never copied, because a flow has one. */
export function copyParts(graph: FlowGraph, ids: readonly string[]): Fragment {
  const nodes = graph.nodes.filter(({ id, type }) => type !== 'start' && ids.includes(id))
  const held = new Set(nodes.map(({ id }) => id))
  return { nodes, edges: graph.edges.filter(({ from, to }) => held.has(from) && held.has(to)) }
}

/** A fragment with new ids, slightly offset; jumps inside it stay inside it. */
export function renewParts({ nodes, edges }: Fragment, aside = 40): Fragment {
  const names = new Map(nodes.map(({ id }) => [id, newPartId()]))
  const renamed = (id: string) => names.get(id) ?? id
  return {
    nodes: nodes.map(node => ({ ...renamedNode(node, renamed), x: node.x + aside, y: node.y + aside })),
    edges: edges.map(edge => ({ ...edge, id: newPartId(), from: renamed(edge.from), to: renamed(edge.to) })),
  }
}

/** Adds a fragment with new ids; `place`: connects its first node there. */
export function pasteParts(graph: FlowGraph, { nodes, edges }: Fragment, place?: OutputPlace): FlowGraph {
  const joined = { ...graph, nodes: [...graph.nodes, ...nodes], edges: [...graph.edges, ...edges] }
  const [first] = nodes
  return place && first ? connect(joined, place, first.id) : joined
}

/** An empty note on the canvas. */
export const addNote = (graph: FlowGraph, at: { x: number; y: number }): FlowGraph =>
  (graph.notes?.length ?? 0) >= flowLimits.notes
    ? graph
    : { ...graph, notes: [...(graph.notes ?? []), { id: newPartId(), ...at, text: '' }] }

export const changeNote = (graph: FlowGraph, id: string, text: string): FlowGraph => ({
  ...graph,
  ...(graph.notes ? { notes: graph.notes.map(note => (note.id === id ? { ...note, text } : note)) } : {}),
})

/** Undefined: removes their colour. */
export const colorSteps = (graph: FlowGraph, ids: readonly string[], color: StepColor | undefined): FlowGraph => ({
  ...graph,
  nodes: graph.nodes.map(node => {
    if (!ids.includes(node.id)) return node
    const { color: _, ...bare } = node
    return (color ? { ...bare, color } : bare) as FlowNode
  }),
})
