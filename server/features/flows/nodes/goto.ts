import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const goto: NodeStep<NodeOf<'goto'>> = {
  enter(node, turn) {
    const target = turn.graph.node(node.nodeId)
    turn.step(node, target ? {} : { why: 'nodeGone' })
    return target ? { to: target } : turn.giveUp('nodeGone')
  },
}
