import type { PromiseState } from '#shared/stats/now.ts'
import { allTime, type CountedRow, type SegmentFacts, segmentFacts } from './segment-facts.ts'
import { type Measure, tests } from './show.ts'

/** The facts that decide who gets the warning of a wait. */
interface WarningFacts {
  readonly assigneeId: string | null
  readonly teamId: string | null
  /** Members who may answer, and are notified of waiting customers. */
  readonly repliers: readonly string[]
  readonly available: ReadonlySet<string>
  readonly teamsOf: ReadonlyMap<string, ReadonlySet<string>>
}

/** The assignee, if available. Otherwise the team, or without one everybody who may answer. */
export const whomToWarn = ({ assigneeId, teamId, repliers, available, teamsOf }: WarningFacts): readonly string[] => {
  if (assigneeId !== null && available.has(assigneeId) && repliers.includes(assigneeId)) return [assigneeId]
  const ofTeam = teamId === null ? [] : repliers.filter(userId => teamsOf.get(userId)?.has(teamId))
  return ofTeam.length ? ofTeam : repliers
}

/** A day of silence does not end this wait. */
export const awaitsFirstResponse = (row: CountedRow): boolean =>
  segmentFacts(row, { now: 0, elapsed: allTime, businessTime: allTime }).isUnattended

/** The segment must be unattended. */
export const promiseStateOf = (segment: SegmentFacts, measure: Measure): PromiseState => {
  if (tests.unattendedLate(segment, measure)) return 'late'
  return tests.unattendedSoon(segment, measure) ? 'soon' : 'inTime'
}
