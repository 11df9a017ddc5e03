import type { FlowGraph, FlowRule } from './graph.ts'

/** So long a pattern may be, as it is typed. */
export const patternMaxChars = 200

/** Whether what it is compared with is a pattern, as it is typed: it holds no variables. */
export const asksPattern = ({ op }: Pick<FlowRule, 'op'>): boolean => op === 'fitsPattern' || op === 'notFitsPattern'

interface AskedPattern {
  readonly nodeId: string
  /** Where it stands in its node. */
  readonly field: string
  readonly pattern: string
}

/** What a flow's steps match by patterns, in the order of the steps: answers of questions, and values in conditions. */
export const patternsIn = ({ nodes }: Pick<FlowGraph, 'nodes'>): AskedPattern[] =>
  nodes.flatMap((node): AskedPattern[] => {
    if (node.type === 'question' && node.answer === 'pattern')
      return [{ nodeId: node.id, field: 'pattern', pattern: node.pattern ?? '' }]
    if (node.type !== 'condition') return []
    return node.rules.flatMap((rule, i) =>
      rule.left === 'variable' && asksPattern(rule)
        ? [{ nodeId: node.id, field: `rules.${i}`, pattern: rule.value ?? '' }]
        : [],
    )
  })
