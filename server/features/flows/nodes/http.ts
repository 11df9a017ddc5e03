import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import { maxCallsInRow, type Next, type SessionTurn } from '#server/features/flows/step/session-turn.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { type CallResult, prepareCall, readCall } from '#shared/flows/http.ts'

/** A call without a result this long after its tries has failed. */
const callGraceMs = 10 * 60 * 1000

/** Continues after a call. A failure without a connected output leads to a person. */
const called = (node: NodeOf<'http'>, result: CallResult, turn: SessionTurn): Next => {
  const { output, why, values, facts } = readCall(node, result)
  const isDrawn = output !== 'error' || node.ends?.includes(output) || turn.graph.after(node.id, output)
  turn.step(node, { why, call: facts, changes: turn.assign(values), ...(isDrawn ? { output } : {}) })
  return isDrawn ? { output } : turn.giveUp('callFailed')
}

export const http: NodeStep<NodeOf<'http'>> = {
  enter(node, turn) {
    if (turn.calls >= maxCallsInRow) {
      turn.step(node, { why: 'tooManySteps' })
      return turn.giveUp('tooManySteps')
    }
    turn.calls += 1
    const call = prepareCall(node, turn.variables, turn.builtIn)
    if (typeof call === 'string') return called(node, { kind: 'failed', why: call, ms: 0, tries: 0 }, turn)
    turn.step(node, { why: 'calls', effect: { kind: 'call', call } })
    return turn.waitAt(node, 'call', turn.after(callGraceMs))
  },

  onCall: called,
}
