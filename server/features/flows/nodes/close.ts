import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const close: NodeStep<NodeOf<'close'>> = {
  enter(node, turn) {
    turn.step(node, { effect: { kind: 'archive' } })
    return turn.over({ kind: 'finished' })
  },
}
