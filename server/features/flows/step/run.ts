import { stepOf } from '#server/features/flows/nodes/all.ts'
import { type FlowNode, type GraphIndex, isWaiting } from '#shared/flows/graph.ts'
import { type Next, SessionTurn } from './session-turn.ts'
import type { FlowInput, FlowTurn, FlowWorld, SessionPlace } from './turn.ts'

/** The most nodes a session may pass in one turn. */
const maxStepsAtOnce = 50
/** The result of a call whose outcome is unknown. */
const unconfirmed = { kind: 'failed', why: 'callUnconfirmed', ms: 0, tries: 1 } as const

/**
 * One turn of a session: from what came in to where it waits next, or its end. Pure: the caller does what the steps say,
 * in one transaction with storing where the session stands. A node that sends something does so only while the window is
 * open; one that cannot waits until the customer writes, and sends it then.
 * @param place where the session stood; of a new session only the variables count
 */
export function runTurn(graph: GraphIndex, place: SessionPlace, input: FlowInput, world: FlowWorld): FlowTurn {
  const turn = new SessionTurn(graph, place, input, world)

  /** Handles the input that a node waited for, and returns what follows. */
  const answer = (node: FlowNode): Next => {
    const { onCall, onTime, onMessage } = stepOf(node)
    if (onCall && input.kind !== 'message')
      return onCall(node, input.kind === 'call' ? input.result : unconfirmed, turn)
    if (input.kind === 'time') {
      const went = place.isParked ? undefined : onTime?.(node, turn)
      if (went) return went
      const says = world.isWindowOpen && !place.isParked ? (world.expiredText ?? '') : ''
      turn.step(node, turn.saying(says, 'noAnswer'))
      return turn.over({ kind: 'expired' })
    }
    return input.kind === 'message' && onMessage ? onMessage(node, input, turn) : turn.giveUp('nodeGone')
  }

  /** Continues after the node that ran the flow which has just ended. */
  const leave = (): FlowNode | FlowTurn => {
    const outer = turn.inside.at(-1)
    if (outer === undefined) return turn.over({ kind: 'finished' })
    turn.inside = turn.inside.slice(0, -1)
    const caller = graph.node(outer)
    if (!caller) return turn.giveUp('flowGone')
    turn.step(caller, { output: 'next', why: 'returned' })
    return graph.after(caller.id, 'next') ?? leave()
  }

  const follow = (from: FlowNode, next: Next): FlowNode | FlowTurn => {
    if ('outcome' in next) return next
    if ('to' in next) return next.to
    return ('output' in next && graph.after(from.id, next.output)) || leave()
  }

  const first = (): FlowNode | FlowTurn => {
    if (input.kind === 'begin') return graph.start ?? turn.over({ kind: 'finished' })
    const at = graph.node(place.nodeId)
    if (!at) return turn.giveUp(turn.inside.length ? 'flowGone' : 'nodeGone')
    if (place.isParked && input.kind === 'message') {
      turn.step(at, { input: input.text, why: 'windowOpened' })
      return at
    }
    turn.isTyped = place.isTyping === true && input.kind === 'time'
    return turn.isTyped ? at : follow(at, answer(at))
  }

  let node = first()
  for (let count = 0; !('outcome' in node); count += 1) {
    if (count >= maxStepsAtOnce && !isWaiting(node)) {
      turn.step(node, { why: 'tooManySteps' })
      return turn.giveUp('tooManySteps')
    }
    node = follow(node, stepOf(node).enter(node, turn))
  }
  return node
}
