import type { NodeOf } from '#shared/flows/graph.ts'
import type { NodeStep } from '../step/node-step.ts'

export const goto: NodeStep<NodeOf<'goto'>> = {
  enter(node, session) {
    const target = session.graph.node(node.nodeId)
    session.step(node, target ? {} : { why: 'nodeGone' })
    return target ? { to: target } : session.giveUp('nodeGone')
  },
}
