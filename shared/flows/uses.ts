import { type FlowGraph, usesOf } from './graph.ts'
import type { TemplateChoice } from './nodes/fields.ts'
import { type LiveFlowFacts, reachedFrom } from './reached.ts'
import type { FlowTrigger } from './triggers.ts'

/** What a flow needs that is not in it, each thing once. */

type Drawn = Pick<FlowGraph, 'nodes'>
const once = (names: readonly string[]): string[] => [...new Set(names)]

/** The variables of its own that a flow sets, in their order. */
export const ownVariables = ({ nodes }: Drawn): string[] =>
  once(nodes.flatMap(node => usesOf(node).sets ?? []).filter(Boolean)).sort()

/** The templates that a flow names. */
export const chosenTemplates = ({ nodes }: Drawn): TemplateChoice[] =>
  nodes.flatMap(node => usesOf(node).templates ?? [])

/** The secrets that a flow names. */
export const secretsIn = ({ nodes }: Drawn): string[] => once(nodes.flatMap(node => usesOf(node).secrets ?? []))

/** The flows that a flow runs. */
export const calledBy = ({ nodes }: Drawn): string[] => once(nodes.flatMap(node => usesOf(node).flowIds ?? []))

/** The patterns that a flow matches texts with, in the order of its nodes. */
export const patternsIn = ({ nodes }: Drawn): { nodeId: string; field: string; pattern: string }[] =>
  nodes.flatMap(node => (usesOf(node).patterns ?? []).map(one => ({ nodeId: node.id, ...one })))

/** Variables that whatever begins a flow may bring along. */
export const broughtVariables = (triggers: readonly FlowTrigger[]): string[] =>
  triggers.flatMap(trigger => (trigger.kind === 'webhook' ? trigger.variables : [])).filter(Boolean)

/** Variables that the flows inside set. */
export const variablesInside = (graph: Drawn, live: readonly LiveFlowFacts[]): string[] => {
  const reached = reachedFrom(calledBy(graph), live)
  return once(live.filter(({ id }) => reached.has(id)).flatMap(({ variables }) => variables))
}
