import type { Databases } from '#server/platform/db/db.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { intakeErrors } from './errors.ts'
import { sharedLine } from './line.ts'
import { countWaitingMessages } from './store.ts'

interface Backlog {
  /**
   * Reserves capacity for messages in a line. Undefined: reserved without a count. @throws INTAKE_TOO_MANY_WAITING: the
   * sender has to retry later.
   */
  admit(line: string, messages: number): Promise<void> | undefined
}

/** Estimated messages of one connection that may wait to be applied: some minutes of work. */
const maxWaiting = 100_000
/** The shared line has webhooks of several accounts. */
const maxSharedWaiting = 10 * maxWaiting
/** A full line is counted again after this time. */
const recountMs = 1000
const retryAfterSeconds = 30
/** Lines remembered between counts. */
const maxRememberedLines = 10_000

/**
 * Limits what waits in each line. Counting costs as much as there is waiting, so each count admits a quarter of the
 * remaining capacity and is repeated when that is used up. Each process may exceed the limit by that much.
 */
export function createBacklog({ databases, most }: { databases: Databases; most: number | undefined }): Backlog {
  const capacity = new Map<string, number>()
  const full = new Map<string, number>()
  const counting = new Map<string, Promise<void>>()

  const refuse = () => intakeErrors.TOO_MANY_WAITING({ retryAfterSeconds })

  const count = async (line: string) => {
    const limit = most ?? (line === sharedLine ? maxSharedWaiting : maxWaiting)
    const left = limit - (await countWaitingMessages(databases.read, line, limit))
    if (capacity.size >= maxRememberedLines) capacity.clear()
    if (full.size >= maxRememberedLines) full.clear()
    if (left <= 0) full.set(line, monotonicMs() + recountMs)
    else {
      full.delete(line)
      capacity.set(line, Math.ceil(left / 4))
    }
  }

  const countOnce = (line: string): Promise<void> => {
    const under = counting.get(line) ?? count(line).finally(() => counting.delete(line))
    counting.set(line, under)
    return under
  }

  const admit = (line: string, messages: number): Promise<void> | undefined => {
    const left = (capacity.get(line) ?? 0) - messages
    if (left >= 0) {
      capacity.set(line, left)
      return undefined
    }
    return admitCounted(line, messages)
  }

  const admitCounted = async (line: string, messages: number) => {
    if ((full.get(line) ?? 0) > monotonicMs()) throw refuse()
    await countOnce(line)
    if (full.has(line)) throw refuse()
    // A webhook larger than the remaining capacity is accepted: the limit is exceeded by one webhook at most.
    capacity.set(line, Math.max(0, (capacity.get(line) ?? 0) - messages))
  }

  return { admit }
}
