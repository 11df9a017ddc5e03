import { endsAfterMs } from '#shared/stats/definitions.ts'
import type { ConversationSegmentTable } from '../segments/table.ts'

type Row = ConversationSegmentTable

/** The columns that figures are computed from. */
export const countedColumns = [
  'id',
  'started_at',
  'last_at',
  'resolved_at',
  'is_last',
  'owner_id',
  'team_id',
  'origin',
  'has_bot',
  'handed_at',
  'first_reply_at',
  'first_reply_by',
  'waiting_since',
  'waits',
] as const satisfies readonly (keyof Row)[]
export type CountedRow = Pick<Row, (typeof countedColumns)[number]>

/** Ms between two times: all, or only those within business hours. */
export type Elapsed = (from: number, to: number) => number
export const allTime: Elapsed = (from, to) => Math.max(0, to - from)

/** What figures need to know of a segment at the time `now`. Times and durations are ms; null: there is none. */
export interface SegmentFacts {
  readonly id: string
  readonly startedAt: number
  readonly ownerId: string | null
  readonly teamId: string | null
  readonly answeredBy: string | null
  readonly hasBot: boolean
  /** A person answered it, it was handed to people, or no bot took part. */
  readonly needsPerson: boolean
  /** Null: the segment is open. */
  readonly endedAt: number | null
  readonly firstResponseMs: number | null
  /** The first response in business hours, which the promised response time always counts. */
  readonly promisedResponseMs: number | null
  readonly waits: readonly number[]
  /** Since when the customer waits for a person; null also for an ended segment. */
  readonly waitingSince: number | null
  readonly resolutionMs: number | null
  /** Not resolved, no person has answered, and the customer waits. A day of silence does not end this wait. */
  readonly isUnattended: boolean
  /** Business hours since the customer began to wait; means something for unattended segments only. */
  readonly unattendedMs: number
}

const timeOrNull = (at: string | null): number | null => (at === null ? null : Date.parse(at))

const waitsOf = (waits: string, startedAt: number, elapsed: Elapsed): number[] => {
  if (waits === '[]') return []
  const ends = JSON.parse(waits) as number[]
  return Array.from({ length: ends.length / 2 }, (_, i) =>
    elapsed(startedAt + (ends[2 * i] ?? 0), startedAt + (ends[2 * i + 1] ?? 0)),
  )
}

/** How durations are measured. */
export interface Clocks {
  readonly now: number
  readonly elapsed: Elapsed
  /** Business hours, even where `elapsed` counts all time. */
  readonly businessTime: Elapsed
}

export function segmentFacts(row: CountedRow, { now, elapsed, businessTime }: Clocks): SegmentFacts {
  const startedAt = Date.parse(row.started_at)
  const lastAt = Date.parse(row.last_at)
  const resolvedAt = timeOrNull(row.resolved_at)
  const handedAt = timeOrNull(row.handed_at)
  const replyAt = timeOrNull(row.first_reply_at)
  const hasBot = row.has_bot === 1
  const needsPerson = replyAt !== null || handedAt !== null || !hasBot
  const isSilent = row.is_last === 0 || now - lastAt >= endsAfterMs
  const endedAt = resolvedAt ?? (isSilent ? lastAt : null)
  // A hand-over after the first response does not restart the clock.
  const clockAt = handedAt !== null && (replyAt === null || handedAt <= replyAt) ? handedAt : startedAt
  const waiting = needsPerson ? timeOrNull(row.waiting_since) : null
  return {
    id: row.id,
    startedAt,
    ownerId: row.owner_id,
    teamId: row.team_id,
    answeredBy: row.first_reply_by,
    hasBot,
    needsPerson,
    endedAt,
    firstResponseMs: replyAt === null ? null : elapsed(clockAt, replyAt),
    promisedResponseMs: replyAt === null ? null : businessTime(clockAt, replyAt),
    waits: waitsOf(row.waits, startedAt, elapsed),
    waitingSince: endedAt === null ? waiting : null,
    resolutionMs: endedAt === null || !needsPerson ? null : elapsed(handedAt ?? startedAt, endedAt),
    unattendedMs: businessTime(waiting ?? startedAt, now),
    isUnattended: row.is_last === 1 && resolvedAt === null && replyAt === null && waiting !== null,
  }
}
