import { type ArrivalDelay, createArrivalDelay } from './arrival-delay.ts'

/** The lowest rate a number can have, used until the rate is set. */
const defaultPerSecond = 20
/**
 * Messages to send within this time are claimed together. Each group costs one commit, and another one when they are
 * sent.
 */
const groupMs = 160
const maxGroup = 64
/** A larger group for rates at which 128 messages leave within a fifth of a second. */
const maxFastGroup = 128
const fastPerSecond = 5 * maxFastGroup
/** Claims that were missed for at most this time are caught up. Waiting for a group to fill is not missed time. */
const maxMissedMs = groupMs + 190
/**
 * No window of this length at the receiver has more messages than the rate. 3 ms more than a second, as clocks differ.
 */
const windowMs = 1003
/** Window for the even gaps: slightly longer, so that a second which ran late does not fill the next one. */
const evenWindowMs = 1005
/** After a longer delay the next messages do not catch up at once: a burst would queue up at the receiver. */
export const toleratedDelayMs = 50
/** A delay beyond that is caught up gradually, this much at most. */
export const maxBacklogMs = 250
/** Factor on the gap between messages while catching up, or while more wait than one group. */
export const catchUpFactor = 0.8
/**
 * Messages due within this time are prepared, or within the time that the last preparation took. Not earlier: after a
 * crash nobody knows whether a prepared message was sent.
 */
export const minPreparingMs = 2

/** The sender reports here when the request left and when it was answered, which corrects the rate. */
export interface SendTiming {
  /** The request was written to the connection. */
  written(): void
  /** WhatsApp answered. */
  answered(): void
}

export interface Waiting {
  readonly release: (timing: SendTiming) => void
  /** False: it is not sent. Never rejects. */
  readonly prepare: () => Promise<boolean>
  state: 'waits' | 'prepares' | 'ready'
}

/** The messages of one number that are claimed, and when the next one may be claimed and sent. */
export interface SendQueue {
  perSecond: number
  /** The next message may be claimed at this time, at an even rate. */
  nextClaimAt: number
  /** The next message may be sent at this time, at an even rate. */
  nextSendAt: number
  backlogMs: number
  waiting: Waiting[]
  /** Moving average of how long preparing takes. */
  preparingMs: number
  preparing: Promise<void> | undefined
  /** Messages at the end of `waiting` that are not being prepared yet. */
  unprepared: number
  isSending: boolean
  /** The time at which `waiting` last became empty. */
  emptyAt: number
  /**
   * Estimated arrival times of the last messages, at most as many as the rate. A ring buffer; `oldest` is its start.
   */
  arrivals: number[]
  oldest: number
  delay: ArrivalDelay
}

export const createSendQueue = (): SendQueue => ({
  perSecond: defaultPerSecond,
  nextClaimAt: 0,
  nextSendAt: 0,
  backlogMs: 0,
  waiting: [],
  preparingMs: minPreparingMs,
  preparing: undefined,
  unprepared: 0,
  isSending: false,
  emptyAt: Number.NEGATIVE_INFINITY,
  arrivals: [],
  oldest: 0,
  delay: createArrivalDelay(),
})

/** Sets the rate, and keeps as many of the last arrivals as it allows in a second. */
export function changeRate(queue: SendQueue, perSecond: number): void {
  if (queue.perSecond === perSecond) return
  const inOrder = [...queue.arrivals.slice(queue.oldest), ...queue.arrivals.slice(0, queue.oldest)]
  queue.arrivals = inOrder.slice(-perSecond)
  queue.oldest = 0
  queue.perSecond = perSecond
}

/** Between two messages at an even rate. */
export const gapMs = ({ perSecond }: SendQueue) => evenWindowMs / perSecond
/** Messages that are claimed together: those of `groupMs` at the number's rate. */
export const groupSizeOf = (queue: SendQueue) => {
  const most = queue.perSecond >= fastPerSecond ? maxFastGroup : maxGroup
  return Math.max(1, Math.min(most, Math.floor(groupMs / gapMs(queue))))
}
/** Since when the next message could have been claimed. */
export const claimableFrom = (queue: SendQueue, now: number) => Math.max(queue.nextClaimAt, now - maxMissedMs)

/** The window has a place for another message from this time on. */
const windowFreeAt = ({ arrivals, oldest, perSecond }: SendQueue): number =>
  arrivals.length < perSecond ? 0 : (arrivals[oldest] as number) + windowMs

export const earliestSendAt = (queue: SendQueue): number => Math.max(windowFreeAt(queue), queue.nextSendAt)

/** Returns when the next message should have been sent. Adds a delay beyond the tolerance to the backlog. */
export const scheduledAt = (queue: SendQueue, now: number): number => {
  const missedMs = now - toleratedDelayMs - queue.nextSendAt
  if (missedMs <= 0) return queue.nextSendAt
  queue.backlogMs = Math.min(maxBacklogMs, queue.backlogMs + missedMs)
  return now - toleratedDelayMs
}

/** The gap to the next message: shorter while catching up. */
export const gapFor = (queue: SendQueue): number => {
  const gap = gapMs(queue)
  if (queue.backlogMs <= 0 && queue.waiting.length <= groupSizeOf(queue)) return gap
  queue.backlogMs = Math.max(0, queue.backlogMs - gap * (1 - catchUpFactor))
  return gap * catchUpFactor
}
