import type { PromiseState } from '#shared/stats/now.ts'
import type { SegmentFacts } from './segment-facts.ts'
import { type Measure, tests } from './show.ts'

/** How an unattended segment stands against the promise. */
export const promiseStateOf = (segment: SegmentFacts, measure: Measure): PromiseState => {
  if (tests.unattendedLate(segment, measure)) return 'late'
  return tests.unattendedSoon(segment, measure) ? 'soon' : 'inTime'
}
