import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import { notSaid, say } from '#server/features/flows/step/speak.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const template: NodeStep<NodeOf<'template'>> = {
  enter(node, session) {
    const said = session.byTemplate(node)
    return typeof said === 'string' ? notSaid(node, said, session) : say(node, said, session)
  },
}
