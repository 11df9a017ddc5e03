import type { FlowGraph, FlowNode } from './graph.ts'
import type { FlowTrigger } from './triggers/triggers.ts'

/** The parts of a flow that decide what customers receive. */
export interface DrawnFlow {
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
}

const inKeyOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/**
 * Programs may write the fields in another order than the editor. Sorting them takes several times as long, so that it
 * is only done where the texts differ.
 */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || JSON.stringify(one, inKeyOrder) === JSON.stringify(other, inKeyOrder)

/** A node without its position, colour and connections. Ends are in the order in which they were marked. */
const contentOf = ({ x: _x, y: _y, color: _color, ends, ...node }: FlowNode) => ({
  ...node,
  ends: ends?.length ? [...ends].sort() : undefined,
})

/** Position, colour and connections do not count. */
export const isSameContent = (one: FlowNode, other: FlowNode): boolean => isSame(contentOf(one), contentOf(other))

/** The successors at the outputs of each node, by the node's id. Absent: there are none. */
export function leadsOf({ edges }: FlowGraph): ReadonlyMap<string, string> {
  const leads = new Map<string, Map<string, string>>()
  for (const { from, output, to } of edges) {
    const ofNode = leads.get(from)
    if (!ofNode) leads.set(from, new Map([[output, to]]))
    else if (!ofNode.has(output)) ofNode.set(output, to)
  }
  const text = (ofNode: ReadonlyMap<string, string>) =>
    [...ofNode]
      .map(lead => lead.join(' '))
      .sort()
      .join('\n')
  return new Map([...leads].map(([from, ofNode]) => [from, text(ofNode)]))
}

export const isSameStart = (one: DrawnFlow['triggers'], other: DrawnFlow['triggers']): boolean => isSame(one, other)

/** True if customers get the same of both flows. Positions, colours and notes are for the authors only. */
export function isSameFlow(one: DrawnFlow, other: DrawnFlow): boolean {
  if (one.graph.nodes.length !== other.graph.nodes.length || !isSameStart(one.triggers, other.triggers)) return false
  const nodes = new Map(other.graph.nodes.map(node => [node.id, node]))
  const [leads, othersLeads] = [leadsOf(one.graph), leadsOf(other.graph)]
  return one.graph.nodes.every(node => {
    const same = nodes.get(node.id)
    return same !== undefined && leads.get(node.id) === othersLeads.get(node.id) && isSameContent(node, same)
  })
}
