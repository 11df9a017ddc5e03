import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'
import { giveUpSending, say } from '../step/sending.ts'

export const template: NodeStep<NodeOf<'template'>> = {
  enter(node, session) {
    const message = session.byTemplate(node)
    return typeof message === 'string' ? giveUpSending(node, message, session) : say(node, message, session)
  },
}
