import type { FlowGraph, FlowNode } from '#shared/flows/graph.ts'
import { type DrawnFlow, isSameContent, isSameStart, leadsOf } from '#shared/flows/same.ts'
import { outlineOf, stepsInOrder } from '../../outline/outline-tree.ts'

/** A step in two graphs, side by side. */
export interface Compared {
  readonly id: string
  readonly change: 'same' | 'added' | 'removed' | 'changed'
  readonly before: FlowNode | undefined
  readonly after: FlowNode | undefined
  /** True if outputs of a changed step changed, not only its content. */
  readonly leadsElsewhere: boolean
}

/** Every step of two graphs in the order of the later one; a removed step comes after its former predecessor. */
export function compareGraphs(before: FlowGraph, after: FlowGraph): Compared[] {
  const then = new Map(before.nodes.map(node => [node.id, node]))
  const now = new Map(after.nodes.map(node => [node.id, node]))
  const [leads, leadsThen] = [leadsOf(after), leadsOf(before)]
  const order = stepsInOrder(outlineOf(after))
  const orderThen = stepsInOrder(outlineOf(before))
  for (const [place, id] of orderThen.entries())
    if (!now.has(id)) {
      const previous = orderThen[place - 1]
      order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id)
    }
  return order.map((id): Compared => {
    const [old, next] = [then.get(id), now.get(id)]
    const leadsElsewhere = old !== undefined && next !== undefined && leadsThen.get(id) !== leads.get(id)
    const isSame = old !== undefined && next !== undefined && !leadsElsewhere && isSameContent(old, next)
    const change = isSame ? 'same' : !old ? 'added' : !next ? 'removed' : 'changed'
    return { id, change, before: old, after: next, leadsElsewhere }
  })
}

/** Steps that were added, removed or changed, and one for the triggers. */
export const countChanges = (before: DrawnFlow, after: DrawnFlow): number =>
  compareGraphs(before.graph, after.graph).filter(({ change }) => change !== 'same').length +
  Number(!isSameStart(before.triggers, after.triggers))
