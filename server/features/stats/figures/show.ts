import { soonMs } from '#shared/stats/definitions.ts'
import { ageBucketsMs, bucketOf, responseBucketsMs, type Show, type ShowPart } from '#shared/stats/filter.ts'
import type { SegmentFacts } from './segment-facts.ts'

/** The data that the tests need besides the segment. */
export interface Measure {
  readonly now: number
  readonly timeZone: string
  /** @see createWallClock */
  readonly wallClock: (at: number) => number
  /** Null: nothing is promised, so nothing is in time and nothing late. */
  readonly promiseMs: number | null
}

type Test = (segment: SegmentFacts, measure: Measure) => boolean

/**
 * The segments that each figure counts. Figures and the lists behind them use the same tests, so that their counts
 * agree.
 */
export const tests: { readonly [S in Show]: Test } = {
  attended: () => true,
  firstResponse: ({ firstResponseMs }) => firstResponseMs !== null,
  inPromise: ({ promisedResponseMs: ms }, { promiseMs }) => ms !== null && promiseMs !== null && ms <= promiseMs,
  latePromise: ({ promisedResponseMs: ms }, { promiseMs }) => ms !== null && promiseMs !== null && ms > promiseMs,
  unanswered: ({ needsPerson, firstResponseMs, endedAt }) =>
    needsPerson && firstResponseMs === null && endedAt !== null,
  customerWait: ({ waits }) => waits.length > 0,
  waitingNow: ({ waitingSince }) => waitingSince !== null,
  resolution: ({ resolutionMs }) => resolutionMs !== null,
  withBot: ({ hasBot, endedAt }) => hasBot && endedAt !== null,
  contained: ({ hasBot, endedAt, needsPerson }) => hasBot && endedAt !== null && !needsPerson,
  needsPerson: ({ needsPerson }) => needsPerson,
  openNow: ({ endedAt }) => endedAt === null,
  unattended: ({ isUnattended }) => isUnattended,
  unattendedSoon: ({ isUnattended, unattendedMs: ms }, { promiseMs }) =>
    isUnattended && promiseMs !== null && ms <= promiseMs && ms >= promiseMs - soonMs(promiseMs),
  unattendedLate: ({ isUnattended, unattendedMs: ms }, { promiseMs }) =>
    isUnattended && promiseMs !== null && ms > promiseMs,
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The beginning of a segment, on the clock of the organization. `weekday`: 1 is Monday. `day`: days since 1970. */
export const segmentStart = (startedAt: number, wallClock: Measure['wallClock']) => {
  const wall = wallClock(startedAt)
  const day = Math.floor(wall / dayMs)
  // 1 January 1970 was a Thursday.
  return { weekday: ((day + 3) % 7) + 1, hour: Math.floor((wall - day * dayMs) / hourMs), day }
}

/** Ms for which the customer of an unattended segment has waited. */
const ageOf = ({ startedAt, unattendedSince }: SegmentFacts, now: number): number =>
  now - (unattendedSince ?? startedAt)

/** True for a figure that describes the present and ignores the range of days. */
export const isOfNow = ({ show }: ShowPart): boolean =>
  show === 'unattended' || show === 'unattendedSoon' || show === 'unattendedLate'

const isInBucket = (segment: SegmentFacts, { bucket, show }: ShowPart, now: number): boolean => {
  if (bucket === undefined) return true
  if (show === 'unattended') return bucketOf(ageOf(segment, now), ageBucketsMs) === bucket
  return segment.firstResponseMs !== null && bucketOf(segment.firstResponseMs, responseBucketsMs) === bucket
}

const isInHour = ({ startedAt }: SegmentFacts, { weekday, hour }: ShowPart, { wallClock }: Measure): boolean => {
  if (weekday === undefined && hour === undefined) return true
  const start = segmentStart(startedAt, wallClock)
  return (weekday ?? start.weekday) === start.weekday && (hour ?? start.hour) === start.hour
}

/** True if a list shows this segment. */
export const isShown = (segment: SegmentFacts, part: ShowPart, measure: Measure): boolean =>
  tests[part.show ?? 'attended'](segment, measure) &&
  isInBucket(segment, part, measure.now) &&
  isInHour(segment, part, measure) &&
  (part.answeredBy === undefined || segment.answeredBy === part.answeredBy)
