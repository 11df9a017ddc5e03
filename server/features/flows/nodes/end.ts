import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const end: NodeStep<NodeOf<'end'>> = {
  enter(node, session) {
    session.step(node, {})
    return { leaves: true }
  },
}
