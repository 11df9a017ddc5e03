import type { NodeLook } from '#client/flows/nodes/look.ts'
import type { FlowNames, FlowsT } from '#client/flows/words.ts'
import type { FlowRule } from '#shared/flows/nodes/condition.ts'

const ruleText = (t: FlowsT, rule: FlowRule, names: FlowNames): string => {
  switch (rule.left) {
    case 'variable':
      return t(`ruleText.${rule.op}`, { name: rule.name || '…', value: rule.value || '…' })
    case 'tag':
      return t(`ruleText.${rule.op}`, { tag: names.tags.get(rule.tagId) ?? '…' })
    case 'hours':
    case 'window':
      return t(`ruleText.${rule.op}`)
  }
}

const look: NodeLook<'condition'> = {
  icon: 'M12 3v5m0 0-6 5v8m6-13 6 5v8M3.500 18.500 6 21l2.500-2.500M15.500 18.500 18 21l2.500-2.500',
  tone: 'decides',
  says: ({ rules, all }, t, names) =>
    rules.map(rule => ruleText(t, rule, names)).join(t(all ? 'ruleText.and' : 'ruleText.or')),
}
export default look
