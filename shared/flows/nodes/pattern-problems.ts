import type { FlowFacts, Found } from '../problems/problem.ts'

/** Returns the problems of a pattern. An empty one is refused. */
export const patternProblems = (pattern: string, field: string, { patternFault }: FlowFacts): Found[] => {
  const fault = pattern ? patternFault?.(pattern) : 'unreadable'
  if (fault === 'unreadable') return [{ field, code: 'patternInvalid' }]
  return fault === 'tooLarge' ? [{ field, code: 'patternTooLarge' }] : []
}
