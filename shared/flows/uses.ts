import { type FlowGraph, usesOf } from './graph.ts'
import type { TemplateChoice } from './nodes/fields.ts'
import { type LiveFlowFacts, reachedFrom } from './reached.ts'
import type { FlowTrigger } from './triggers/triggers.ts'

/** The objects outside a flow that it needs, each once. */

type Drawn = Pick<FlowGraph, 'nodes'>
const once = (names: readonly string[]): string[] => [...new Set(names)]

/** The flow's own variables that it sets, sorted. */
export const ownVariables = ({ nodes }: Drawn): string[] =>
  once(nodes.flatMap(node => usesOf(node).sets ?? []).filter(Boolean)).sort()

/** The templates that a flow uses. */
export const chosenTemplates = ({ nodes }: Drawn): TemplateChoice[] =>
  nodes.flatMap(node => usesOf(node).templates ?? [])

/** The secrets that a flow uses. */
export const secretsIn = ({ nodes }: Drawn): string[] => once(nodes.flatMap(node => usesOf(node).secrets ?? []))

/** The flows that a flow runs. */
export const calledBy = ({ nodes }: Drawn): string[] => once(nodes.flatMap(node => usesOf(node).flowIds ?? []))

/** The patterns of a flow, in the order of its nodes. */
export const patternsIn = ({ nodes }: Drawn): { nodeId: string; field: string; pattern: string }[] =>
  nodes.flatMap(node => (usesOf(node).patterns ?? []).map(one => ({ nodeId: node.id, ...one })))

/** Variables that a call which starts the flow may set. */
export const broughtVariables = (triggers: readonly FlowTrigger[]): string[] =>
  triggers.flatMap(trigger => (trigger.kind === 'webhook' ? trigger.variables : [])).filter(Boolean)

/** Variables that its subflows set. */
export const variablesInside = (graph: Drawn, live: readonly LiveFlowFacts[]): string[] => {
  const reached = reachedFrom(calledBy(graph), live)
  return once(live.filter(({ id }) => reached.has(id)).flatMap(({ variables }) => variables))
}
