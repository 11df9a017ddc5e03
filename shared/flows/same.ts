import type { FlowGraph, FlowNode } from './graph.ts'
import type { FlowTrigger } from './triggers.ts'

/** What customers get of a flow. */
export interface DrawnFlow {
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
}

/** Programs may write the fields of an object in another order than the editor. */
const inKeyOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const textOf = (value: unknown): string => JSON.stringify(value, inKeyOrder)

/** A node without its position, colour and connections. */
export const contentOf = ({ x: _x, y: _y, color: _color, ...node }: FlowNode): string => textOf(node)

/** Where the outputs of each node lead, by the node's id. Absent: nowhere. */
export function leadsOf({ edges }: FlowGraph): ReadonlyMap<string, string> {
  const leads = new Map<string, string[]>()
  for (const { from, output, to } of edges) leads.set(from, [...(leads.get(from) ?? []), `${output} ${to}`])
  return new Map([...leads].map(([from, all]) => [from, all.sort().join('\n')]))
}

export const isSameStart = (one: DrawnFlow['triggers'], other: DrawnFlow['triggers']): boolean =>
  textOf(one) === textOf(other)

/** Whether customers get the same of both: positions, colours and notes are for the authors only. */
export function isSameFlow(one: DrawnFlow, other: DrawnFlow): boolean {
  if (one.graph.nodes.length !== other.graph.nodes.length || !isSameStart(one.triggers, other.triggers)) return false
  const nodes = new Map(other.graph.nodes.map(node => [node.id, node]))
  const [leads, othersLeads] = [leadsOf(one.graph), leadsOf(other.graph)]
  return one.graph.nodes.every(node => {
    const same = nodes.get(node.id)
    return same !== undefined && leads.get(node.id) === othersLeads.get(node.id) && contentOf(node) === contentOf(same)
  })
}
