import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '#server/platform/time/clock.ts'
import {
  catchUpFactor,
  changeRate,
  claimableFrom,
  createSendQueue,
  earliestSendAt,
  gapFor,
  gapMs,
  groupSizeOf,
  maxBacklogMs,
  minPreparingMs,
  type SendQueue,
  type SendTiming,
  scheduledAt,
  toleratedDelayMs,
  type Waiting,
} from './send-queue.ts'
import { type TrackedSend, trackSend } from './tracked-send.ts'

/**
 * Paces the bulk messages of each number evenly. They are claimed in groups, because a commit for each would be too
 * many.
 */
export interface Spacing {
  /** Sets the rate of this number from now on. */
  setRate(key: string, perSecond: number): void
  /** Messages that may be claimed now; if none, ask again in `inMs` milliseconds. */
  capacity(key: string): { readonly count: number; readonly inMs: number }
  countClaimed(key: string): void
  /** Waits until a claimed message may be sent: in the order of calls, evenly, and within the rate of any second. */
  waitForSlot(key: string): Promise<SendTiming>
  /**
   * Waits likewise, and runs `prepare` shortly before the message may be sent. If it resolves to false or throws,
   * the message is not sent.
   */
  waitForSlot(key: string, prepare: () => Promise<boolean>): Promise<SendTiming | undefined>
}

interface SpacingParts {
  nowMs?(): number
  pause?(ms: number): Promise<unknown>
  /** Resolves when the messages that were just released are on the wire. */
  nextTick?(): Promise<unknown>
}

/** Minimum pause between two polls of the queue. */
const minPauseMs = 4
/** Messages sent in one turn of the event loop. */
const maxPerTick = 8
/** Minimum pause before claiming again while a full group still waits. */
const minRecheckMs = 8
const maxPreparingMs = 20
/** Above this rate a commit for each attempt costs too much, so the attempts of some milliseconds share one. */
const unbatchedPerSecond = 125
const batchMs = 8

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
    const queue = queues.get(key) ?? createSendQueue()
    queues.set(key, queue)
    return queue
  }

  /** The messages that are due, and when the next one is. */
  const takeDue = (queue: SendQueue, now: number) => {
    const due: { release: (timing: SendTiming) => void; timing: TrackedSend }[] = []
    for (;;) {
      const from = earliestSendAt(queue)
      const isDue = from <= now && due.length < maxPerTick && queue.waiting[0]?.state === 'ready'
      const next = isDue ? queue.waiting.shift() : undefined
      if (!next) return { due, from }
      due.push({ release: next.release, timing: trackSend(queue, now, nowMs) })
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
    setRate: (key, perSecond) => changeRate(queueOf(key), perSecond),

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
