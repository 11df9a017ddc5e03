import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { type ArrivalDelay, createArrivalDelay } from './arrival-delay.ts'

/**
 * Paces the bulk messages of each number evenly. They are claimed in groups, because a commit for each would be too
 * many.
 */
export interface Spacing {
  /** Sets the rate of this number from now on. */
  setRate(key: string, perSecond: number): void
  /** How many messages may be claimed now; if none, in how many milliseconds to ask again. */
  capacity(key: string): { readonly count: number; readonly inMs: number }
  countClaimed(key: string): void
  /** Waits until a claimed message may be sent: in the order of calls, evenly, and within the rate of any second. */
  waitForSlot(key: string): Promise<SendTiming>
  /**
   * Like `waitForTurn`, but runs `prepare` shortly before the message may be sent. If it resolves to false or throws,
   * the message is not sent.
   */
  waitForSlot(key: string, prepare: () => Promise<boolean>): Promise<SendTiming | undefined>
}

/** The sender reports here when the request left and when it was answered, which corrects the rate. */
export interface SendTiming {
  /** The request was written to the connection. */
  written(): void
  /** WhatsApp answered. */
  answered(): void
}

export interface SpacingParts {
  nowMs?(): number
  pause?(ms: number): Promise<unknown>
  /** Resolves when the messages that were just released are on the wire. */
  nextTick?(): Promise<unknown>
}

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
/** A request without an answer is assumed to arrive this much later than the fastest. */
const unansweredDelayMs = 15
/** Minimum pause between two looks at the queue. */
const minPauseMs = 4
/** Messages sent in one turn of the event loop. */
const maxPerTick = 8
/** After a longer delay the next messages do not catch up at once: a burst would queue up at the receiver. */
const toleratedDelayMs = 50
/** A delay beyond that is caught up gradually, this much at most. */
const maxBacklogMs = 250
/** Factor on the gap between messages while catching up, or while more wait than one group. */
const catchUpFactor = 0.8
/** Minimum pause before claiming again while a full group still waits. */
const minRecheckMs = 8

/**
 * Messages due within this time are prepared, or within the time that the last preparation took. Not earlier: after a
 * crash nobody knows whether a prepared message was sent.
 */
const minPreparingMs = 2
const maxPreparingMs = 20
/** Above this rate a commit for each attempt costs too much, so the attempts of some milliseconds share one. */
const unbatchedPerSecond = 125
const batchMs = 8

interface Waiting {
  readonly release: (timing: SendTiming) => void
  /** False: it is not sent. Never rejects. */
  readonly prepare: () => Promise<boolean>
  state: 'waits' | 'prepares' | 'ready'
}

interface SendQueue {
  perSecond: number
  /** When the next message may be claimed at an even rate. */
  nextClaimAt: number
  /** When the next message may be sent at an even rate. */
  nextSendAt: number
  backlogMs: number
  waiting: Waiting[]
  /** Moving average of how long preparing takes. */
  preparingMs: number
  preparing: Promise<void> | undefined
  /** How many messages at the end of `waiting` are not being prepared yet. */
  unprepared: number
  isSending: boolean
  /** When `waiting` last became empty. */
  emptyAt: number
  /**
   * Estimated arrival times of the last messages, at most as many as the rate. A ring buffer; `oldest` is its start.
   */
  arrivals: number[]
  oldest: number
  delay: ArrivalDelay
}

interface TrackedSend extends SendTiming {
  /** Assumes the request was written, if `written` was not called and it does not wait for a connection. */
  assumeWritten(): void
}

/** A process's share of a number's rate. Together they do not exceed it, except that each may send one a second. */
export const shareOfProcess = (perSecond: number, processes: number): number =>
  Math.max(1, Math.floor(perSecond / processes))

/** Paces within this process. No second ever has more messages than the rate. */
export function createSpacing({
  nowMs = monotonicMs,
  pause: wait = pause,
  nextTick = () => new Promise<void>(resolve => setImmediate(resolve)),
}: SpacingParts = {}): Spacing {
  const queues = new Map<string, SendQueue>()

  const queueOf = (key: string): SendQueue => {
    let queue = queues.get(key)
    if (!queue) {
      const unprepared = { preparingMs: minPreparingMs, preparing: undefined, unprepared: 0 }
      const empty = {
        waiting: [],
        ...unprepared,
        isSending: false,
        emptyAt: Number.NEGATIVE_INFINITY,
        arrivals: [],
        oldest: 0,
      }
      queue = {
        perSecond: defaultPerSecond,
        nextClaimAt: 0,
        nextSendAt: 0,
        backlogMs: 0,
        ...empty,
        delay: createArrivalDelay(),
      }
      queues.set(key, queue)
    }
    return queue
  }
  const gapMs = ({ perSecond }: SendQueue) => evenWindowMs / perSecond
  const groupSizeOf = (queue: SendQueue) => {
    const most = queue.perSecond >= fastPerSecond ? maxFastGroup : maxGroup
    return Math.max(1, Math.min(most, Math.floor(groupMs / gapMs(queue))))
  }
  const claimableFrom = (queue: SendQueue, now: number) => Math.max(queue.nextClaimAt, now - maxMissedMs)

  /** When the window has a place for another message. */
  const windowFreeAt = ({ arrivals, oldest, perSecond }: SendQueue): number =>
    arrivals.length < perSecond ? 0 : (arrivals[oldest] as number) + windowMs

  const earliestSendAt = (queue: SendQueue): number => Math.max(windowFreeAt(queue), queue.nextSendAt)

  /** Records the earliest arrival time. It is corrected when more is known. */
  const track = (queue: SendQueue, at: number): TrackedSend => {
    const { arrivals, delay } = queue
    const isFull = arrivals.length >= queue.perSecond
    const spot = isFull ? queue.oldest : arrivals.length
    if (isFull) queue.oldest = (queue.oldest + 1) % arrivals.length
    let writtenAt = at
    let isWritten = false
    let isAnswered = false
    let recorded = at + unansweredDelayMs
    arrivals[spot] = recorded
    const correct = (to: number) => {
      // The rate was changed and the buffer rebuilt, or the place was used again a second later.
      if (queue.arrivals !== arrivals || arrivals[spot] !== recorded) return
      recorded = to
      arrivals[spot] = to
    }
    const write = () => {
      if (isAnswered) return
      writtenAt = Math.max(writtenAt, nowMs())
      correct(writtenAt + unansweredDelayMs)
    }
    return {
      written() {
        isWritten = true
        write()
      },
      answered() {
        if (isAnswered) return
        isAnswered = true
        const now = nowMs()
        correct(writtenAt + delay.delayMs(now, now - writtenAt))
      },
      assumeWritten() {
        if (!isWritten) write()
      },
    }
  }

  /** When the next message should have been sent. Adds what was missed beyond the tolerance to the backlog. */
  const scheduledAt = (queue: SendQueue, now: number): number => {
    const missedMs = now - toleratedDelayMs - queue.nextSendAt
    if (missedMs <= 0) return queue.nextSendAt
    queue.backlogMs = Math.min(maxBacklogMs, queue.backlogMs + missedMs)
    return now - toleratedDelayMs
  }

  const gapFor = (queue: SendQueue): number => {
    const gap = gapMs(queue)
    if (queue.backlogMs <= 0 && queue.waiting.length <= groupSizeOf(queue)) return gap
    queue.backlogMs = Math.max(0, queue.backlogMs - gap * (1 - catchUpFactor))
    return gap * catchUpFactor
  }

  /** The messages that are due, and when the next one is. */
  const takeDue = (queue: SendQueue, now: number) => {
    const due: { release: (timing: SendTiming) => void; timing: TrackedSend }[] = []
    for (;;) {
      const from = earliestSendAt(queue)
      const isDue = from <= now && due.length < maxPerTick && queue.waiting[0]?.state === 'ready'
      const next = isDue ? queue.waiting.shift() : undefined
      if (!next) return { due, from }
      due.push({ release: next.release, timing: track(queue, now) })
      queue.nextSendAt = scheduledAt(queue, now) + gapFor(queue)
    }
  }

  const prepareEach = async (queue: SendQueue, some: readonly Waiting[], since: number) => {
    await Promise.all(
      some.map(async one => {
        if (await one.prepare()) one.state = 'ready'
        else queue.waiting.splice(queue.waiting.indexOf(one), 1)
      }),
    )
    const tookMs = nowMs() - since
    // A message that is ready too soon counts as possibly sent if the process dies, so the estimate falls quickly.
    const nextMs = Math.min(tookMs, (queue.preparingMs + tookMs) / 2)
    queue.preparingMs = Math.min(maxPreparingMs, Math.max(minPreparingMs, nextMs))
    queue.preparing = undefined
  }

  /** Prepares the messages that are nearly due. Returns when the next ones have to be prepared. */
  const prepareSoon = (queue: SendQueue, now: number): number => {
    if (!queue.unprepared || queue.preparing) return Number.POSITIVE_INFINITY
    const first = queue.waiting.length - queue.unprepared
    // Messages that are later than this are caught up gradually.
    const from = Math.max(earliestSendAt(queue), now - toleratedDelayMs)
    const gap = gapMs(queue) * catchUpFactor
    const at = from + first * gap - queue.preparingMs
    if (at > now) return at
    const soonMs = queue.preparingMs + (queue.perSecond > unbatchedPerSecond ? batchMs : 0)
    const last = Math.max(first, Math.floor((now + soonMs - from) / gap))
    const some = queue.waiting.slice(first, last + 1)
    for (const one of some) one.state = 'prepares'
    queue.unprepared -= some.length
    queue.preparing = prepareEach(queue, some, now)
    return Number.POSITIVE_INFINITY
  }

  /** Sends a few at a time and lets the event loop write them before the next ones, so that their times are known. */
  const sendWaiting = async (queue: SendQueue): Promise<void> => {
    while (queue.waiting.length) {
      const now = nowMs()
      const unpreparedAt = prepareSoon(queue, now)
      const { due, from } = takeDue(queue, now)
      const head = queue.waiting[0]
      if (!due.length && head?.state === 'prepares' && from <= now) await queue.preparing
      else if (due.length) {
        for (const { release, timing } of due) release(timing)
        await nextTick()
        for (const { timing } of due) timing.assumeWritten()
      } else await wait(Math.max(minPauseMs, Math.min(from, unpreparedAt) - now))
    }
    queue.isSending = false
    queue.emptyAt = nowMs()
  }

  return {
    setRate(key, perSecond) {
      const queue = queueOf(key)
      if (queue.perSecond === perSecond) return
      const inOrder = [...queue.arrivals.slice(queue.oldest), ...queue.arrivals.slice(0, queue.oldest)]
      queue.arrivals = inOrder.slice(-perSecond)
      queue.oldest = 0
      queue.perSecond = perSecond
    },

    capacity(key) {
      const queue = queueOf(key)
      const [now, gap] = [nowMs(), gapMs(queue)]
      const groupSize = groupSizeOf(queue)
      // A full group still waits: the process has more than it can send.
      const more = queue.waiting.length - groupSize
      if (more >= 0)
        return {
          count: 0,
          inMs: Math.max(minRecheckMs, earliestSendAt(queue) + (more + 1) * gap * catchUpFactor - now),
        }
      const due = claimableFrom(queue, now)
      const count = Math.floor((now - due) / gap) + 1
      if (count >= groupSize) return { count, inMs: 0 }
      return { count: 0, inMs: Math.max(1, due + (groupSize - 1) * gap - now) }
    },

    countClaimed(key) {
      const queue = queueOf(key)
      queue.nextClaimAt = claimableFrom(queue, nowMs()) + gapMs(queue)
    },

    waitForSlot(key: string, prepare?: () => Promise<boolean>) {
      const queue = queueOf(key)
      return new Promise<never>((resolve, reject) => {
        const prepared = async () => {
          try {
            const isGoing = (await prepare?.()) ?? true
            if (!isGoing) resolve(undefined as never)
            return isGoing
          } catch (error) {
            reject(error)
            return false
          }
        }
        const leaves = (timing: SendTiming) => resolve(timing as never)
        queue.waiting.push({ release: leaves, prepare: prepared, state: prepare ? 'waits' : 'ready' })
        if (prepare) queue.unprepared += 1
        if (queue.isSending) return
        queue.isSending = true
        // After a pause longer than the maximum backlog nothing was waiting, so nothing has to be caught up.
        const now = nowMs()
        if (now - queue.emptyAt > maxBacklogMs) {
          queue.nextSendAt = Math.max(queue.nextSendAt, now)
          queue.backlogMs = 0
        }
        void sendWaiting(queue)
      })
    },
  }
}
