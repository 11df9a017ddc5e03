import type { SendQueue, SendTiming } from './send-queue.ts'

/** A request without an answer is assumed to arrive this much later than the fastest. */
const unansweredDelayMs = 15

export interface TrackedSend extends SendTiming {
  /** Assumes the request was written, if `written` was not called and it does not wait for a connection. */
  assumeWritten(): void
}

/** Records the earliest arrival time. It is corrected when more is known. */
export function trackSend(queue: SendQueue, at: number, nowMs: () => number): TrackedSend {
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
