import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const tag: NodeStep<NodeOf<'tag'>> = {
  enter(node, turn) {
    const { action, tagId } = node
    if (!turn.world.knownTagIds.includes(tagId)) {
      turn.step(node, { why: 'tagGone' })
      return turn.giveUp('tagGone')
    }
    turn.tagIds[action === 'add' ? 'add' : 'delete'](tagId)
    turn.step(node, { output: 'next', effect: { kind: 'tag', action, tagId } })
    return { output: 'next' }
  },
}
