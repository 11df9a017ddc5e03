import { type FlowGraph, type FlowNode, indexGraph, nodeKind, outputsOf } from '../graph.ts'
import { waitUnitMs } from '../limits.ts'
import type { FlowTrigger, TriggerKind } from './triggers.ts'

const dayMinutes = waitUnitMs.days / waitUnitMs.minutes
/** Triggers that start a flow without a message from the customer. */
const unasked: readonly TriggerKind[] = ['webhook', 'tagAdded', 'tagRemoved']
/** A node reached this often with increasing minutes belongs to a loop. */
const maxRounds = 4

/**
 * The most minutes since the customer's last message at the node after an output. `before`: likewise when the node is
 * reached.
 */
const minutesAt = (node: FlowNode, output: string, before: number): number => {
  const { silentMinutes } = nodeKind(node)
  return silentMinutes ? silentMinutes(node, output, before) : before
}

/** Steps that may send after the window has closed, without a template for that case. */
export function mayFindWindowClosed(graph: FlowGraph, triggers: readonly FlowTrigger[]): FlowNode[] {
  const { start, node, after } = indexGraph(graph)
  const since = new Map<FlowNode, { minutes: number; rounds: number }>()
  const atStart = triggers.some(({ kind }) => unasked.includes(kind)) ? dayMinutes : 0
  const open = start ? [{ to: start, minutes: atStart }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    const known = since.get(next.to)
    const atMost = Math.min(next.minutes, dayMinutes)
    // Only increasing values continue, up to a day; otherwise a loop of waits would never end.
    if (known && !(atMost > known.minutes)) continue
    const rounds = (known?.rounds ?? 0) + 1
    const minutes = rounds > maxRounds ? dayMinutes : atMost
    since.set(next.to, { minutes, rounds })
    const { to } = next
    const target = node(nodeKind(to).jumpsTo?.(to) ?? '')
    if (target) open.push({ to: target, minutes })
    for (const output of outputsOf(to)) {
      const follower = after(to.id, output)
      if (follower) open.push({ to: follower, minutes: minutesAt(to, output, minutes) })
    }
  }
  return [...since].flatMap(([one, { minutes }]) => {
    const hasFallback = 'fallback' in one && Boolean(one.fallback?.template)
    return nodeKind(one).sendsMessage && !hasFallback && minutes >= dayMinutes ? [one] : []
  })
}
