import { type FlowGraph, type FlowNode, indexGraph, outputsOf, waitUnitMs } from './graph.ts'
import type { FlowTrigger, TriggerKind } from './triggers.ts'

const dayMinutes = waitUnitMs.days / waitUnitMs.minutes
/** Nobody wrote for these to begin. */
const unasked: readonly TriggerKind[] = ['webhook', 'tagAdded', 'tagRemoved']
/** Whoever comes to a step again and again with more behind them goes round. */
const mostRounds = 4

/** Minutes since the customer's last word where an output leads on, at most; `before`: when the step began. */
const minutesAt = (node: FlowNode, output: string, before: number): number => {
  // Whoever asks for the window goes on where it is open.
  const asksWindow = node.type === 'condition' && node.rules.length === 1 && node.rules[0]?.left === 'window'
  if (asksWindow && output === (node.rules[0]?.op === 'open' ? 'yes' : 'no')) return 0
  if (node.type === 'wait')
    return (
      before + (node.until === undefined ? (node.amount * waitUnitMs[node.unit]) / waitUnitMs.minutes : dayMinutes - 1)
    )
  if (node.type === 'question' || node.type === 'buttons')
    return output === 'timeout' ? before + node.timeoutMinutes : 0
  return before
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
    if (to.type === 'goto') {
      const target = node(to.nodeId)
      if (target) open.push({ to: target, minutes })
    }
    for (const output of outputsOf(to)) {
      const follower = after(to.id, output)
      if (follower) open.push({ to: follower, minutes: minutesAt(to, output, minutes) })
    }
  }
  return [...since].flatMap(([one, { minutes }]) => {
    const speaks = one.type === 'message' || one.type === 'question' || one.type === 'buttons'
    return speaks && !one.fallback?.template && minutes >= dayMinutes ? [one] : []
  })
}
