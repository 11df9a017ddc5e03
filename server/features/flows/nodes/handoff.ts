import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'

export const handoff: NodeStep<NodeOf<'handoff'>> = {
  enter(node, session) {
    const { message = '', note = '', teamId = null, userId: memberId = null, hours } = node
    const { isOpen, isWindowOpen } = session.world
    if (hours && !isOpen) {
      session.step(node, { output: 'closed', why: 'outsideHours' })
      return { output: 'closed' }
    }
    session.step(node, session.textEffect(isWindowOpen ? message : ''))
    return session.over({ kind: 'handedOff', reason: 'asked', teamId, memberId, note: session.fill(note) || null })
  },
}
