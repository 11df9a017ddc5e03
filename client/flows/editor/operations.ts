import { type FlowEdge, type FlowGraph, type FlowNode, outputsOf, renamedNode } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import type { StepColor } from '#shared/flows/nodes/kind.ts'
import { mainOutput, type OutputPlace } from './draft.ts'
import { newPartId } from './part-id.ts'

/** Every change is a new graph; what did not change is the same object, so that a history of many costs little. */
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

/** Leads an output to a node; what it led to before is let go. */
export function connect(graph: FlowGraph, place: OutputPlace, to: string): FlowGraph {
  const edges = [...graph.edges.filter(edge => !isAt(place)(edge)), { id: newPartId(), ...place, to }]
  return withNode({ ...graph, edges }, place.from, node => withoutEnd(node, place.output))
}

/** Nothing follows an output any more; `isEnd`: on purpose. */
export function disconnect(graph: FlowGraph, place: OutputPlace, isEnd = false): FlowGraph {
  const edges = graph.edges.filter(edge => !isAt(place)(edge))
  return withNode({ ...graph, edges }, place.from, node => {
    const open = withoutEnd(node, place.output)
    return isEnd ? { ...open, ends: [...(open.ends ?? []), place.output] } : open
  })
}

/** Puts a node at an output: what followed there follows the node, unless the node ends the way. */
export function insertAt(graph: FlowGraph, node: FlowNode, place: OutputPlace): FlowGraph {
  const after = graph.edges.find(isAt(place))
  const added = connect({ ...graph, nodes: [...graph.nodes, node] }, place, node.id)
  const output = mainOutput(node)
  return after && output ? connect(added, { from: node.id, output }, after.to) : added
}

export const addNode = (graph: FlowGraph, node: FlowNode): FlowGraph => ({ ...graph, nodes: [...graph.nodes, node] })

/** The same edges where all of them stay: with each letter that is typed none of hundreds is drawn anew. */
const pruned = (edges: readonly FlowEdge[], node: FlowNode): readonly FlowEdge[] => {
  const outputs = outputsOf(node)
  const isLost = (edge: FlowEdge) => edge.from === node.id && !outputs.includes(edge.output)
  return edges.some(isLost) ? edges.filter(edge => !isLost(edge)) : edges
}

/** Changes what a node says; an output it no longer has takes its edge along. */
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

/** Nodes and notes by id, in the canvas's own pixels. */
export type Places = Readonly<Record<string, { readonly x: number; readonly y: number }>>

export const movePlaces = (graph: FlowGraph, places: Places): FlowGraph => {
  const moved = <T extends { id: string }>(one: T): T => ({ ...one, ...places[one.id] })
  return { ...graph, nodes: graph.nodes.map(moved), ...(graph.notes ? { notes: graph.notes.map(moved) } : {}) }
}

/** Where what led to a removed node goes on: to what followed it, past others that are removed too. */
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

/** Takes nodes and notes away. The start stays; what came before a step goes on with what came after it. */
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

/** What is copied: nodes and the edges between them. */
export type Fragment = Pick<FlowGraph, 'nodes' | 'edges'>

/** The start is never copied: a flow has one. */
export function copyParts(graph: FlowGraph, ids: readonly string[]): Fragment {
  const nodes = graph.nodes.filter(({ id, type }) => type !== 'start' && ids.includes(id))
  const held = new Set(nodes.map(({ id }) => id))
  return { nodes, edges: graph.edges.filter(({ from, to }) => held.has(from) && held.has(to)) }
}

/** A fragment under names of its own, a little aside; jumps inside it stay inside it. */
export function renewParts({ nodes, edges }: Fragment, aside = 40): Fragment {
  const names = new Map(nodes.map(({ id }) => [id, newPartId()]))
  const renamed = (id: string) => names.get(id) ?? id
  return {
    nodes: nodes.map(node => ({ ...renamedNode(node, renamed), x: node.x + aside, y: node.y + aside })),
    edges: edges.map(edge => ({ ...edge, id: newPartId(), from: renamed(edge.from), to: renamed(edge.to) })),
  }
}

/** Adds a fragment whose names nobody has; `place`: its first node follows there. */
export function pasteParts(graph: FlowGraph, { nodes, edges }: Fragment, place?: OutputPlace): FlowGraph {
  const joined = { ...graph, nodes: [...graph.nodes, ...nodes], edges: [...graph.edges, ...edges] }
  const [first] = nodes
  return place && first ? connect(joined, place, first.id) : joined
}

/** A note on the canvas, without words yet. */
export const addNote = (graph: FlowGraph, at: { x: number; y: number }): FlowGraph =>
  (graph.notes?.length ?? 0) >= flowLimits.notes
    ? graph
    : { ...graph, notes: [...(graph.notes ?? []), { id: newPartId(), ...at, text: '' }] }

export const changeNote = (graph: FlowGraph, id: string, text: string): FlowGraph => ({
  ...graph,
  ...(graph.notes ? { notes: graph.notes.map(note => (note.id === id ? { ...note, text } : note)) } : {}),
})

/** Undefined: none of them is in a group any more. */
export const colorSteps = (graph: FlowGraph, ids: readonly string[], color: StepColor | undefined): FlowGraph => ({
  ...graph,
  nodes: graph.nodes.map(node => {
    if (!ids.includes(node.id)) return node
    const { color: _, ...bare } = node
    return (color ? { ...bare, color } : bare) as FlowNode
  }),
})
