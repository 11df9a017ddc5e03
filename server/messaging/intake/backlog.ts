import type { Databases } from '#server/platform/db/db.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { intakeErrors } from './errors.ts'
import { sharedLine } from './line.ts'
import { countWaitingMessages } from './store.ts'

export interface Backlog {
  /**
   * Takes room for so many messages in a line. Undefined: there is.
   * @throws INTAKE_TOO_MANY_WAITING: whoever sends has to send it again later.
   */
  admit(line: string, messages: number): Promise<void> | undefined
}

/** About so many messages of one connection may wait to be derived: some minutes of work. */
const mostWaiting = 100_000
/** The shared line has webhooks of several accounts. */
const mostShared = 10 * mostWaiting
/** A full line is counted again after so long. */
const countAgainMs = 1000
const retryAfterSeconds = 30
/** Lines that are remembered between counts. */
const mostLines = 10_000

/**
 * Bounds what waits in each line. Counting costs as much as there waits, so each count allows for a quarter of what is left,
 * and the next one comes when that is used; of several processes each may be ahead by as much.
 */
export function createBacklog({ databases, most }: { databases: Databases; most: number | undefined }): Backlog {
  const room = new Map<string, number>()
  const full = new Map<string, number>()
  const counting = new Map<string, Promise<void>>()

  const refuse = () => intakeErrors.TOO_MANY_WAITING({ retryAfterSeconds })

  const count = async (line: string) => {
    const limit = most ?? (line === sharedLine ? mostShared : mostWaiting)
    const left = limit - (await countWaitingMessages(databases.read, line, limit))
    if (room.size >= mostLines) room.clear()
    if (full.size >= mostLines) full.clear()
    if (left <= 0) full.set(line, monotonicMs() + countAgainMs)
    else {
      full.delete(line)
      room.set(line, Math.ceil(left / 4))
    }
  }

  const countOnce = (line: string): Promise<void> => {
    const under = counting.get(line) ?? count(line).finally(() => counting.delete(line))
    counting.set(line, under)
    return under
  }

  const admit = (line: string, messages: number): Promise<void> | undefined => {
    const left = (room.get(line) ?? 0) - messages
    if (left >= 0) {
      room.set(line, left)
      return undefined
    }
    return admitCounted(line, messages)
  }

  const admitCounted = async (line: string, messages: number) => {
    if ((full.get(line) ?? 0) > monotonicMs()) throw refuse()
    await countOnce(line)
    if (full.has(line)) throw refuse()
    // One that alone is more than what is left is taken: what waits is over the limit by no more than one webhook.
    room.set(line, Math.max(0, (room.get(line) ?? 0) - messages))
  }

  return { admit }
}
