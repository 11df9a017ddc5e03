import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'

export const end: NodeStep<NodeOf<'end'>> = {
  enter(node, session) {
    session.step(node, {})
    return { leaves: true }
  },
}
