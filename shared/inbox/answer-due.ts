import { inOneLine, timeLeft } from '#shared/kernel/time.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
/** Nothing says by how much a promised first response is late once it is later than this. */
const latestMs = 24 * hourMs

/** The time without minutes after the first hour: `12 min`, `3 h`. */
const lateTime = (ms: number): string =>
  ms < hourMs ? timeLeft(Math.max(1, ms)) : inOneLine(`${Math.floor(ms / hourMs)} h`)

/** The time until a promised first response is due, or since it was, such as `12 min`. */
interface AnswerDue {
  readonly isLate: boolean
  readonly time: string
}

/**
 * @param dueAt ISO 8601
 * @param now may be the start of the minute, and so before the wait began
 * @param since ISO 8601: when the wait began, if known
 * @returns undefined a day after it was promised
 */
export const answerDueIn = (dueAt: string, now: number, since?: string): AnswerDue | undefined => {
  const leftMs = Date.parse(dueAt) - Math.max(now, since === undefined ? now : Date.parse(since))
  // Rounded up, because the wait beside it is rounded down: together they are the promised time.
  if (leftMs > 0) return { isLate: false, time: timeLeft(Math.ceil(leftMs / minuteMs) * minuteMs) }
  return leftMs < -latestMs ? undefined : { isLate: true, time: lateTime(-leftMs) }
}
