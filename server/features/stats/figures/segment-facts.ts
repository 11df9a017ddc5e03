import { endsAfterMs } from '#shared/stats/definitions.ts'
import type { Segment } from '../segments/fold.ts'
import type { ConversationSegmentTable } from '../segments/table.ts'

type Row = ConversationSegmentTable

/** The columns that figures are computed from. */
export const countedColumns = [
  'id',
  'conversation_id',
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
  'connection_id',
] as const satisfies readonly (keyof Row)[]
export type CountedRow = Pick<Row, (typeof countedColumns)[number]>

/** The columns of a segment that figures read, whether from its row or from a pack. Times are ms. */
export type CountedSegment = Readonly<
  Omit<Segment, 'startSeq' | 'messagesIn' | 'messagesOut' | 'seed'> & {
    /** Null: the contact was erased. */
    conversationId: string | null
    connectionId: string
  }
>

/** Ms between two times: all, or only those within business hours. */
export type Elapsed = (from: number, to: number) => number
export const allTime: Elapsed = (from, to) => Math.max(0, to - from)

/** The facts about a segment at the time `now`. Times and durations are ms; null: there is none. */
export interface SegmentFacts {
  readonly id: string
  readonly conversationId: string | null
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
  /** Since when the customer of an unattended segment waits; null for other segments. */
  readonly unattendedSince: number | null
  /** Business hours since the customer of an unattended segment began to wait; 0 for other segments. */
  readonly unattendedMs: number
}

const timeOrNull = (at: string | null): number | null => (at === null ? null : Date.parse(at))

const durationsIn = (waits: readonly number[], startedAt: number, elapsed: Elapsed): number[] => {
  const durations: number[] = []
  for (let i = 0; i < waits.length; i += 2)
    durations.push(elapsed(startedAt + (waits[i] as number), startedAt + (waits[i + 1] as number)))
  return durations
}

/** The clocks by which durations are measured. */
export interface Clocks {
  readonly now: number
  readonly elapsed: Elapsed
  /** Business hours, even where `elapsed` counts all time. */
  readonly businessTime: Elapsed
}

export const countedSegment = (row: CountedRow): CountedSegment => ({
  id: row.id,
  conversationId: row.conversation_id,
  connectionId: row.connection_id,
  startedAt: Date.parse(row.started_at),
  lastAt: Date.parse(row.last_at),
  resolvedAt: timeOrNull(row.resolved_at),
  isLast: row.is_last === 1,
  ownerId: row.owner_id,
  teamId: row.team_id,
  origin: row.origin,
  hasBot: row.has_bot === 1,
  handedAt: timeOrNull(row.handed_at),
  firstReplyAt: timeOrNull(row.first_reply_at),
  firstReplyBy: row.first_reply_by,
  waitingSince: timeOrNull(row.waiting_since),
  waits: row.waits === '[]' ? [] : (JSON.parse(row.waits) as number[]),
})

export function factsOfSegment(segment: CountedSegment, { now, elapsed, businessTime }: Clocks): SegmentFacts {
  const { startedAt, handedAt, firstReplyAt: replyAt, hasBot } = segment
  const needsPerson = replyAt !== null || handedAt !== null || !hasBot
  const isSilent = !segment.isLast || now - segment.lastAt >= endsAfterMs
  const endedAt = segment.resolvedAt ?? (isSilent ? segment.lastAt : null)
  // A hand-over after the first response does not restart the clock.
  const clockAt = handedAt !== null && (replyAt === null || handedAt <= replyAt) ? handedAt : startedAt
  const waiting = needsPerson ? segment.waitingSince : null
  const isUnattended = segment.isLast && segment.resolvedAt === null && replyAt === null && waiting !== null
  return {
    id: segment.id,
    conversationId: segment.conversationId,
    startedAt,
    ownerId: segment.ownerId,
    teamId: segment.teamId,
    answeredBy: segment.firstReplyBy,
    hasBot,
    needsPerson,
    endedAt,
    firstResponseMs: replyAt === null ? null : elapsed(clockAt, replyAt),
    promisedResponseMs: replyAt === null ? null : businessTime(clockAt, replyAt),
    waits: durationsIn(segment.waits, startedAt, elapsed),
    waitingSince: endedAt === null ? waiting : null,
    resolutionMs: endedAt === null || !needsPerson ? null : elapsed(handedAt ?? startedAt, endedAt),
    unattendedSince: isUnattended ? waiting : null,
    unattendedMs: isUnattended ? businessTime(waiting, now) : 0,
    isUnattended,
  }
}

export const segmentFacts = (row: CountedRow, clocks: Clocks): SegmentFacts =>
  factsOfSegment(countedSegment(row), clocks)
