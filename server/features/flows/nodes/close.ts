import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'

export const close: NodeStep<NodeOf<'close'>> = {
  enter(node, session) {
    session.step(node, { effect: { kind: 'archive' } })
    return session.over({ kind: 'finished' })
  },
}
