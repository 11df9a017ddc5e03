import type { NodeOf } from '#shared/flows/graph.ts'
import { type CallResult, prepareCall, readCall } from '#shared/flows/http/http.ts'
import type { NodeStep } from '../step/node-step.ts'
import { maxCallsInRow, type Next, type RunningSession } from '../step/running-session.ts'

/** A call without a result this long after its tries has failed. */
const callGraceMs = 10 * 60 * 1000

/** Continues after a call. A failure without a connected output leads to a person. */
const called = (node: NodeOf<'http'>, result: CallResult, session: RunningSession): Next => {
  const { output, why, values, facts } = readCall(node, result)
  const isDrawn = output !== 'error' || node.ends?.includes(output) || session.graph.after(node.id, output)
  session.step(node, { why, call: facts, changes: session.assign(values), ...(isDrawn ? { output } : {}) })
  return isDrawn ? { output } : session.giveUp('callFailed')
}

export const http: NodeStep<NodeOf<'http'>> = {
  enter(node, session) {
    if (session.calls >= maxCallsInRow) {
      session.step(node, { why: 'tooManySteps' })
      return session.giveUp('tooManySteps')
    }
    session.calls += 1
    const call = prepareCall(node, session.variables, session.builtIn)
    if (typeof call === 'string') return called(node, { kind: 'failed', why: call, ms: 0, tries: 0 }, session)
    session.step(node, { why: 'calls', effect: { kind: 'call', call } })
    return session.waitAt(node, 'call', session.after(callGraceMs))
  },

  onCall: called,
}
