import { type FlowNode, type GraphIndex, isWaiting } from '#shared/flows/graph.ts'
import { stepOf } from '../nodes/all.ts'
import type { FlowAdvance, FlowInput, FlowWorld, SessionPosition } from './advance-types.ts'
import { type Next, RunningSession } from './running-session.ts'

/** The most nodes a session may pass in one advance. */
const maxStepsAtOnce = 50
/** The result of a call whose outcome is unknown. */
const unconfirmed = { kind: 'failed', why: 'callUnconfirmed', ms: 0, tries: 1 } as const

/**
 * Advances a session from what came in to where it waits next, or to its end. Pure: the caller does what the steps say, in
 * one transaction with storing where the session stands. A node that sends something does so only while the window is
 * open; one that cannot waits until the customer writes, and sends it then.
 * @param place where the session stood; of a new session only the variables count
 */
export function advanceSession(
  graph: GraphIndex,
  place: SessionPosition,
  input: FlowInput,
  world: FlowWorld,
): FlowAdvance {
  const session = new RunningSession(graph, place, input, world)

  /** Handles the input that a node waited for, and returns what follows. */
  const answer = (node: FlowNode): Next => {
    const { onCall, onTime, onMessage } = stepOf(node)
    if (onCall && input.kind !== 'message')
      return onCall(node, input.kind === 'call' ? input.result : unconfirmed, session)
    if (input.kind === 'time') {
      const went = place.isParked ? undefined : onTime?.(node, session)
      if (went) return went
      const says = world.isWindowOpen && !place.isParked ? (world.expiredText ?? '') : ''
      session.step(node, session.textEffect(says, 'noAnswer'))
      return session.over({ kind: 'expired' })
    }
    return input.kind === 'message' && onMessage ? onMessage(node, input, session) : session.giveUp('nodeGone')
  }

  /** Continues after the node that ran the flow which has just ended. */
  const leave = (): FlowNode | FlowAdvance => {
    const outer = session.inside.at(-1)
    if (outer === undefined) return session.over({ kind: 'finished' })
    session.inside = session.inside.slice(0, -1)
    const caller = graph.node(outer)
    if (!caller) return session.giveUp('flowGone')
    session.step(caller, { output: 'next', why: 'returned' })
    return graph.after(caller.id, 'next') ?? leave()
  }

  const follow = (from: FlowNode, next: Next): FlowNode | FlowAdvance => {
    if ('outcome' in next) return next
    if ('to' in next) return next.to
    return ('output' in next && graph.after(from.id, next.output)) || leave()
  }

  const first = (): FlowNode | FlowAdvance => {
    if (input.kind === 'begin') return graph.start ?? session.over({ kind: 'finished' })
    const at = graph.node(place.nodeId)
    if (!at) return session.giveUp(session.inside.length ? 'flowGone' : 'nodeGone')
    if (place.isParked && input.kind === 'message') {
      session.step(at, { input: input.text, why: 'windowOpened' })
      return at
    }
    session.isTyped = place.isTyping === true && input.kind === 'time'
    return session.isTyped ? at : follow(at, answer(at))
  }

  let node = first()
  for (let count = 0; !('outcome' in node); count += 1) {
    if (count >= maxStepsAtOnce && !isWaiting(node)) {
      session.step(node, { why: 'tooManySteps' })
      return session.giveUp('tooManySteps')
    }
    node = follow(node, stepOf(node).enter(node, session))
  }
  return node
}
