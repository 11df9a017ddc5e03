import type { NodeOf } from '#shared/flows/graph.ts'
import { maxInside } from '#shared/flows/reached.ts'
import type { NodeStep } from '../step/node-step.ts'

export const subflow: NodeStep<NodeOf<'subflow'>> = {
  enter(node, session) {
    const target = session.graph.startOf(node.flowId)
    const why = !target ? 'flowGone' : session.inside.length >= maxInside ? 'tooDeep' : undefined
    session.step(node, { why: why ?? 'entered' })
    if (!target || why) return session.giveUp(why ?? 'flowGone')
    session.inside = [...session.inside, node.id]
    return { to: target }
  },
}
