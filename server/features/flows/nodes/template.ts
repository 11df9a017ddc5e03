import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'
import { notSaid, say } from '../step/speak.ts'

export const template: NodeStep<NodeOf<'template'>> = {
  enter(node, session) {
    const said = session.byTemplate(node)
    return typeof said === 'string' ? notSaid(node, said, session) : say(node, said, session)
  },
}
