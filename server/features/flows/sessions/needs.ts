import type { Db } from '#server/platform/db/database.ts'
import { type FlowGraph, usesOf } from '#shared/flows/graph.ts'
import { builtInVariables, fieldValues, namesInGraph } from '#shared/flows/variables.ts'
import type { FlowInbox } from '../inbox.ts'

/** The external data a graph needs, so that nothing else is read for it. */
interface Needs {
  readonly fields: boolean
  readonly orgVariables: boolean
  readonly hours: boolean
  readonly timeZone: boolean
  readonly tags: boolean
  /** Options drawn as buttons may turn into a list, which needs a label if the node names none. */
  readonly listLabel: boolean
}

/** A graph object is immutable, so its needs can be cached. */
const known = new WeakMap<FlowGraph, Needs>()
export function needsOf(graph: FlowGraph): Needs {
  const before = known.get(graph)
  if (before) return before
  const names = namesInGraph(graph)
  const facts = new Set(graph.nodes.flatMap(node => usesOf(node).facts ?? []))
  const needs = {
    fields: names.some(name => name.startsWith('contacto.') && !builtInVariables.includes(name)),
    orgVariables: names.some(name => name.startsWith('org.')),
    hours: facts.has('hours'),
    timeZone: facts.has('timeZone'),
    tags: facts.has('tags'),
    listLabel: facts.has('listLabel'),
  }
  known.set(graph, needs)
  return needs
}

/** The organization's contact fields as variables; empty if the graph uses none. */
export async function fieldsFor(
  db: Db,
  orgId: string,
  graph: FlowGraph,
  contactIds: readonly string[],
  { fieldsOf }: Pick<FlowInbox, 'fieldsOf'>,
): Promise<ReadonlyMap<string, ReturnType<typeof fieldValues>>> {
  if (!contactIds.length || !needsOf(graph).fields) return new Map()
  const filled = await fieldsOf(db, orgId, contactIds)
  return new Map([...filled].map(([id, fields]) => [id, fieldValues(fields)]))
}
