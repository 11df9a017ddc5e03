import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { maxInside } from '#shared/flows/reached.ts'

export const subflow: NodeStep<NodeOf<'subflow'>> = {
  enter(node, turn) {
    const target = turn.graph.startOf(node.flowId)
    const why = !target ? 'flowGone' : turn.inside.length >= maxInside ? 'tooDeep' : undefined
    turn.step(node, { why: why ?? 'entered' })
    if (!target || why) return turn.giveUp(why ?? 'flowGone')
    turn.inside = [...turn.inside, node.id]
    return { to: target }
  },
}
