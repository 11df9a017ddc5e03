import { answersBulkWithinMs, endsAfterMs, type Origin } from '#shared/stats/definitions.ts'
import { type Fact, factOf, type SegmentMessage } from './facts.ts'

/** A segment stores this many waits. Later waits are not counted, so that a row stays small. */
export const maxWaits = 200

/** State of a conversation that outlives a segment. */
export interface Carry {
  readonly ownerId: string | null
  readonly teamId: string | null
  /** The last message belongs to a bulk send and was sent at this time; null: the last message is another one. */
  readonly bulkAt: number | null
}
export const nothingKnown: Carry = { ownerId: null, teamId: null, bulkAt: null }

/**
 * A part of a conversation: from the customer's first message after it was resolved (archived), or after it was silent
 * for a day, until it is resolved or silent for a day. Times are ms.
 */
export interface Segment {
  /** Id of the customer's message that begins the segment. */
  readonly id: string
  readonly startedAt: number
  readonly startSeq: number
  /** The last message is of this time, whoever wrote it. */
  lastAt: number
  /** Null: not resolved; a day of silence ends it. */
  resolvedAt: number | null
  /** No later segment of the conversation exists. */
  isLast: boolean
  /** The assigned member; without one, who answered first. */
  ownerId: string | null
  teamId: string | null
  readonly origin: Origin
  hasBot: boolean
  /** A bot first handed it to people at this time. */
  handedAt: number | null
  firstReplyAt: number | null
  /** Null: no reply yet, or the reply was written in the WhatsApp app, which does not say by whom. */
  firstReplyBy: string | null
  /** The first customer message that no person has answered; null: all are answered. */
  waitingSince: number | null
  /** `[from, to, from, to, …]`: the answered waits, in ms since `startedAt`. */
  waits: number[]
  messagesIn: number
  messagesOut: number
  /** The state when the segment began, so that it can be rebuilt without reading earlier messages. */
  readonly seed: Carry
}

/** The state after the messages of a conversation that were read so far. */
export interface Reading {
  carry: Carry
  /** The newest segment; undefined: the conversation has none yet. */
  last: Segment | undefined
}

const isOpenAt = (segment: Segment | undefined, at: number): segment is Segment =>
  segment !== undefined && segment.resolvedAt === null && at - segment.lastAt < endsAfterMs

/** Archiving that is taken back within this time did not resolve the conversation. */
const takenBackWithinMs = 5 * 60_000

/**
 * True if a fact takes the archiving back. A person who writes in an archived conversation also takes it back, and
 * their message comes before the `reopened` line.
 */
const takesBack = (segment: Segment | undefined, { kind }: Fact, at: number): segment is Segment =>
  (kind === 'reopened' || kind === 'person') &&
  segment !== undefined &&
  segment.resolvedAt !== null &&
  at - segment.resolvedAt <= takenBackWithinMs

const originOf = (isFromAd: boolean, { bulkAt }: Carry, at: number): Origin => {
  if (isFromAd) return 'ad'
  return bulkAt !== null && at - bulkAt <= answersBulkWithinMs ? 'bulk' : 'organic'
}

const beginSegment = ({ id, seq }: SegmentMessage, at: number, isFromAd: boolean, carry: Carry): Segment => ({
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

const recordReply = (segment: Segment, at: number, by: string | null): void => {
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

const isMessage = ({ kind }: Fact): boolean => ['customer', 'person', 'bot', 'bulk', 'ours'].includes(kind)

const applyOwnMessage = (segment: Segment, fact: Fact, at: number): void => {
  segment.lastAt = at
  segment.messagesOut += 1
  if (fact.kind === 'bot') segment.hasBot = true
  if (fact.kind === 'person') recordReply(segment, at, fact.by)
}

/** Applies an activity to an open segment: resolved, handed over, or a bot started. */
const applyActivity = (segment: Segment, fact: Fact, at: number): void => {
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
  if (!isMessage(fact)) return carry
  const bulkAt = fact.kind === 'bulk' ? at : null
  return bulkAt === carry.bulkAt ? carry : { ...carry, bulkAt }
}

/**
 * Reads the next message of a conversation and changes `reading`. Returns the segments that changed. Messages must come in
 * the order of `at` and `seq`.
 */
export function readMessage(reading: Reading, message: SegmentMessage): Segment[] {
  const fact = factOf(message)
  if (!fact) return []
  const at = Date.parse(message.at)
  const { last, carry } = reading
  if (takesBack(last, fact, at)) last.resolvedAt = null
  const open = isOpenAt(last, at) ? last : undefined
  reading.carry = carryAfter(carry, fact, at)
  if (!open) {
    if (fact.kind !== 'customer') return []
    const begun = beginSegment(message, at, fact.isFromAd, carry)
    reading.last = begun
    if (!last) return [begun]
    last.isLast = false
    return [last, begun]
  }
  if (fact.kind === 'customer') {
    open.lastAt = at
    open.messagesIn += 1
    open.waitingSince ??= at
  } else if (isMessage(fact)) applyOwnMessage(open, fact, at)
  else applyActivity(open, fact, at)
  if (reading.carry.ownerId !== carry.ownerId) open.ownerId = reading.carry.ownerId ?? open.firstReplyBy
  open.teamId = reading.carry.teamId
  return [open]
}

/** Builds the segments of one conversation from its messages, which are in the order of `at` and `seq`. */
export function foldSegments(messages: readonly SegmentMessage[], seed: Carry = nothingKnown): Segment[] {
  const reading: Reading = { carry: seed, last: undefined }
  const segments = new Set<Segment>()
  for (const message of messages) for (const segment of readMessage(reading, message)) segments.add(segment)
  return [...segments]
}
