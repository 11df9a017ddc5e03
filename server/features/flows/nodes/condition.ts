import type { NodeOf } from '#shared/flows/graph.ts'
import type { FlowRule } from '#shared/flows/nodes/condition.ts'
import type { NodeStep } from '../step/node-step.ts'
import { applies } from '../step/rules.ts'

export const condition: NodeStep<NodeOf<'condition'>> = {
  enter(node, session) {
    const { variables, builtIn, world, tagIds, work } = session
    const isTrue = session.within(() => {
      const isSo = (rule: FlowRule) => applies(rule, variables, { ...world, builtIn }, { tagIds, work })
      return node.all ? node.rules.every(isSo) : node.rules.some(isSo)
    })
    const output = isTrue === true ? 'yes' : 'no'
    session.step(node, { output, why: isTrue === 'tooMuchWork' ? isTrue : isTrue ? 'rulesHold' : 'rulesFail' })
    return { output }
  },
}
