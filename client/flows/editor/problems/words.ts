import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import type { FlowsT } from '../../words.ts'

/** Problems of missing values, hidden while the author is still writing. */
const unfinished: ReadonlySet<string> = new Set([
  'textMissing',
  'optionsMissing',
  'titleMissing',
  'listLabelMissing',
  'variableMissing',
  'rulesMissing',
  'valueMissing',
  'contactValueMissing',
  'formulaMissing',
  'templateMissing',
  'flowMissing',
  'urlMissing',
  'templateValueMissing',
  'keywordMissing',
  'triggerMissing',
  'outputOpen',
  'unreachable',
])
export const isUnfinished = ({ code, field }: FlowProblem): boolean =>
  unfinished.has(code) || ((code === 'tagUnknown' || code === 'targetUnknown') && field !== undefined)

export const problemText = (t: FlowsT, { code, params }: FlowProblem): string =>
  t(`problem.${code as 'outputOpen'}`, params)
