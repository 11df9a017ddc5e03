import { type FlowGraph, type FlowNode, indexGraph, kindOf, outputsOf } from './graph.ts'
import { waitUnitMs } from './limits.ts'
import type { FlowTrigger, TriggerKind } from './triggers.ts'

const dayMinutes = waitUnitMs.days / waitUnitMs.minutes
/** These begin a flow although the customer did not write. */
const unasked: readonly TriggerKind[] = ['webhook', 'tagAdded', 'tagRemoved']
/** A node that is reached again this often with more minutes each time is part of a circle. */
const mostRounds = 4

/** The most minutes since the customer's last message where an output leads. `before`: the same when the node is reached. */
const minutesAt = (node: FlowNode, output: string, before: number): number => {
  const { silentMinutes } = kindOf(node)
  return silentMinutes ? silentMinutes(node, output, before) : before
}

/** Steps that may have something to say when the customer has not written for a day, and no template to say it by. */
export function mayFindWindowClosed(graph: FlowGraph, triggers: readonly FlowTrigger[]): FlowNode[] {
  const { start, node, after } = indexGraph(graph)
  const since = new Map<FlowNode, { minutes: number; rounds: number }>()
  const atStart = triggers.some(({ kind }) => unasked.includes(kind)) ? dayMinutes : 0
  const open = start ? [{ to: start, minutes: atStart }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    const known = since.get(next.to)
    const atMost = Math.min(next.minutes, dayMinutes)
    // Only what grows goes on, and nothing grows beyond a day: a ring of waits would be walked for ever.
    if (known && !(atMost > known.minutes)) continue
    const rounds = (known?.rounds ?? 0) + 1
    const minutes = rounds > mostRounds ? dayMinutes : atMost
    since.set(next.to, { minutes, rounds })
    const { to } = next
    const target = node(kindOf(to).jumpsTo?.(to) ?? '')
    if (target) open.push({ to: target, minutes })
    for (const output of outputsOf(to)) {
      const follower = after(to.id, output)
      if (follower) open.push({ to: follower, minutes: minutesAt(to, output, minutes) })
    }
  }
  return [...since].flatMap(([one, { minutes }]) => {
    const hasFallback = 'fallback' in one && Boolean(one.fallback?.template)
    return kindOf(one).isSpoken && !hasFallback && minutes >= dayMinutes ? [one] : []
  })
}
