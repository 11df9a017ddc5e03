import { answersBulkWithinMs, endsAfterMs, type Origin } from '#shared/stats/definitions.ts'
import { type Fact, factOf, type SegmentMessage } from './facts.ts'

/** Waits that are remembered one by one, of each segment; further ones are not counted. */
export const maxWaits = 200

/** What is known of a conversation beside its segments, at one place in it. */
export interface Carry {
  readonly ownerId: string | null
  readonly teamId: string | null
  /** When a bulk send was the last thing that was said; null: it was something else. */
  readonly bulkAt: number | null
}
export const nothingKnown: Carry = { ownerId: null, teamId: null, bulkAt: null }

/**
 * A part of a conversation: from the customer's first message after it was resolved (archived), or after it was silent
 * for a day, until it is resolved or silent for a day. Times are ms.
 */
export interface Segment {
  /** Of the customer's message that begins it. */
  readonly id: string
  readonly startedAt: number
  readonly startSeq: number
  /** The last message of anybody in it. */
  lastAt: number
  /** Null: silence ends it. */
  resolvedAt: number | null
  /** No other segment of the conversation follows. */
  isLast: boolean
  /** To whom it is assigned; else who answered first. */
  ownerId: string | null
  teamId: string | null
  readonly origin: Origin
  hasBot: boolean
  /** When it was first given to people. */
  handedAt: number | null
  firstReplyAt: number | null
  /** Null also when it was written in the WhatsApp app. */
  firstReplyBy: string | null
  /** Since when the customer has had no answer of a person. */
  waitingSince: number | null
  /** When each answered wait began and ended, in ms since `startedAt`. */
  waits: number[]
  messagesIn: number
  messagesOut: number
  /** What was known when it began: from here on it can be made again. */
  readonly seed: Carry
}

/** How far a conversation has been read. */
export interface Reading {
  carry: Carry
  /** The last segment; undefined: there is none. */
  last: Segment | undefined
}

const isOpenAt = (segment: Segment | undefined, at: number): segment is Segment =>
  segment !== undefined && segment.resolvedAt === null && at - segment.lastAt < endsAfterMs

const originOf = (isFromAd: boolean, { bulkAt }: Carry, at: number): Origin => {
  if (isFromAd) return 'ad'
  return bulkAt !== null && at - bulkAt <= answersBulkWithinMs ? 'bulk' : 'organic'
}

const begin = ({ id, seq }: SegmentMessage, at: number, isFromAd: boolean, carry: Carry): Segment => ({
  id,
  startedAt: at,
  startSeq: seq,
  lastAt: at,
  resolvedAt: null,
  isLast: true,
  ownerId: carry.ownerId,
  teamId: carry.teamId,
  origin: originOf(isFromAd, carry, at),
  hasBot: false,
  handedAt: null,
  firstReplyAt: null,
  firstReplyBy: null,
  waitingSince: at,
  waits: [],
  messagesIn: 1,
  messagesOut: 0,
  seed: carry,
})

const answer = (segment: Segment, at: number, by: string | null): void => {
  if (segment.firstReplyAt === null) {
    segment.firstReplyAt = at
    segment.firstReplyBy = by
    segment.ownerId ??= by
  }
  if (segment.waitingSince === null) return
  const from = segment.waitingSince - segment.startedAt
  if (segment.waits.length < 2 * maxWaits) segment.waits.push(from, at - segment.startedAt)
  segment.waitingSince = null
}

const isSaid = ({ kind }: Fact): boolean => ['customer', 'person', 'bot', 'bulk', 'ours'].includes(kind)

const ofOurs = (segment: Segment, fact: Fact, at: number): void => {
  segment.lastAt = at
  segment.messagesOut += 1
  if (fact.kind === 'bot') segment.hasBot = true
  if (fact.kind === 'person') answer(segment, at, fact.by)
}

/** What was done to the conversation while a segment is open. */
const ofDeed = (segment: Segment, fact: Fact, at: number): void => {
  if (fact.kind === 'resolved') segment.resolvedAt = at
  if (fact.kind === 'botStarts') segment.hasBot = true
  if (fact.kind !== 'handOver') return
  segment.handedAt ??= at
  segment.waitingSince = at
}

const carryAfter = (carry: Carry, fact: Fact, at: number): Carry => {
  if (fact.kind === 'owner') return { ...carry, ownerId: fact.id }
  if (fact.kind === 'team') return { ...carry, teamId: fact.id }
  if (fact.kind === 'handOver')
    return { ...carry, ownerId: fact.owner ?? carry.ownerId, teamId: fact.team ?? carry.teamId }
  if (!isSaid(fact)) return carry
  const bulkAt = fact.kind === 'bulk' ? at : null
  return bulkAt === carry.bulkAt ? carry : { ...carry, bulkAt }
}

/**
 * Reads the next message of a conversation. Answers the segments that changed, some perhaps twice. Messages come in the
 * order in which they were said, by `at` and `seq`.
 */
export function readMessage(reading: Reading, message: SegmentMessage): Segment[] {
  const fact = factOf(message)
  if (!fact) return []
  const at = Date.parse(message.at)
  const { last, carry } = reading
  const open = isOpenAt(last, at) ? last : undefined
  reading.carry = carryAfter(carry, fact, at)
  if (!open) {
    if (fact.kind !== 'customer') return []
    const begun = begin(message, at, fact.isFromAd, carry)
    reading.last = begun
    if (!last) return [begun]
    last.isLast = false
    return [last, begun]
  }
  if (fact.kind === 'customer') {
    open.lastAt = at
    open.messagesIn += 1
    open.waitingSince ??= at
  } else if (isSaid(fact)) ofOurs(open, fact, at)
  else ofDeed(open, fact, at)
  if (reading.carry.ownerId !== carry.ownerId) open.ownerId = reading.carry.ownerId ?? open.firstReplyBy
  open.teamId = reading.carry.teamId
  return [open]
}

/** All segments of these messages of one conversation, which are in the order in which they were said. */
export function segmentsOf(messages: readonly SegmentMessage[], seed: Carry = nothingKnown): Segment[] {
  const reading: Reading = { carry: seed, last: undefined }
  const segments = new Set<Segment>()
  for (const message of messages) for (const segment of readMessage(reading, message)) segments.add(segment)
  return [...segments]
}
