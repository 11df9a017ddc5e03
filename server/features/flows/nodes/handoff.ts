import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const handoff: NodeStep<NodeOf<'handoff'>> = {
  enter(node, turn) {
    const { message = '', note = '', teamId = null, userId: memberId = null, hours } = node
    const { isOpen, isWindowOpen } = turn.world
    if (hours && !isOpen) {
      turn.step(node, { output: 'closed', why: 'outsideHours' })
      return { output: 'closed' }
    }
    turn.step(node, turn.saying(isWindowOpen ? message : ''))
    return turn.over({ kind: 'handedOff', reason: 'asked', teamId, memberId, note: turn.fill(note) || null })
  },
}
