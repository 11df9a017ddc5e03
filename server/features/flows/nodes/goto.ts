import type { NodeStep } from '#server/features/flows/step/node-step.ts'
import type { NodeOf } from '#shared/flows/graph.ts'

export const goto: NodeStep<NodeOf<'goto'>> = {
  enter(node, session) {
    const target = session.graph.node(node.nodeId)
    session.step(node, target ? {} : { why: 'nodeGone' })
    return target ? { to: target } : session.giveUp('nodeGone')
  },
}
