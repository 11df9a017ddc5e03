import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'

export const tag: NodeStep<NodeOf<'tag'>> = {
  enter(node, session) {
    const { action, tagId } = node
    if (!session.world.knownTagIds.includes(tagId)) {
      session.step(node, { why: 'tagGone' })
      return session.giveUp('tagGone')
    }
    session.tagIds[action === 'add' ? 'add' : 'delete'](tagId)
    session.step(node, { output: 'next', effect: { kind: 'tag', action, tagId } })
    return { output: 'next' }
  },
}
