import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const close: NodeStep<NodeOf<'close'>> = {
  enter(node, session) {
    session.step(node, { effect: { kind: 'archive' } })
    return session.over({ kind: 'finished' })
  },
}
