import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'

const secondMs = 1000
const wholeSecond = 'YYYY-MM-DDTHH:MM:SS'.length

const startOfSecond = (at: string): string => `${at.slice(0, wholeSecond)}.000Z`

/**
 * Creates the function that returns the time by which the thread sorts a new message. Meta's times are cut to whole
 * seconds and ours are not, so a customer's answer could sort before our message of the same second. Therefore a new
 * message gets the time just after the newest message of the same second, but stays within that second.
 */
export const createOrder = () => {
  const newest = new Map<ListRow, string>()
  return (row: ListRow, stamp: string): string => {
    const last = newest.get(row) ?? row.last_message_at
    const from = Date.parse(stamp)
    const lastMs = last === null ? Number.NaN : Date.parse(last)
    const isSameSecond = lastMs >= from && lastMs < from + secondMs
    const at = isSameSecond ? new Date(Math.min(lastMs + 1, from + secondMs - 1)).toISOString() : stamp
    if (last === null || at > last) newest.set(row, at)
    return at
  }
}

/**
 * The time of a bulk message. It does not become the last message of a chat with others, so what the customer answers
 * in the same second does not see it: it gets Meta's whole second, or the time just after a last message of that second.
 */
export const bulkTime = (row: ListRow, now: string): string => createOrder()(row, startOfSecond(now))

/** Compares whole seconds, because Meta's times do not tell what came first within one. */
export const mayFollow = (at: string, ours: string): boolean => ours.slice(0, wholeSecond) <= at.slice(0, wholeSecond)
