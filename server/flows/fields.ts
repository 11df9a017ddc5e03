import type { FlowGraph } from '#shared/flow-graph.ts'
import { builtInVariables, fieldValues, namesOf } from '#shared/flow-variables.ts'
import type { Db } from '../db.ts'
import type { FlowInbox } from './inbox.ts'

/** Whether what is drawn names one; a graph never changes. */
const known = new WeakMap<FlowGraph, boolean>()
const namesFields = (graph: FlowGraph): boolean => {
  const before = known.get(graph)
  if (before !== undefined) return before
  const names = namesOf(graph).some(
    name => name.startsWith('contacto.') && !builtInVariables.some(builtIn => builtIn === name),
  )
  known.set(graph, names)
  return names
}

/** What is known of contacts in the organization's own fields, as variables; empty where the graph names none. */
export async function fieldsFor(
  db: Db,
  orgId: string,
  graph: FlowGraph,
  contactIds: readonly string[],
  { fieldsOf }: Pick<FlowInbox, 'fieldsOf'>,
): Promise<ReadonlyMap<string, ReturnType<typeof fieldValues>>> {
  if (!contactIds.length || !namesFields(graph)) return new Map()
  const filled = await fieldsOf(db, orgId, contactIds)
  return new Map([...filled].map(([id, fields]) => [id, fieldValues(fields)]))
}
