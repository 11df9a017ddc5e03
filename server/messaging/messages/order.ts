import type { ListRow } from '../conversations/list-row-store.ts'

const secondMs = 1000

/**
 * Gives new messages their place in the thread. Meta's stamps are whole seconds, cut off, and ours are not: an answer
 * in the second of the message it answers would stand before it. Within one second arrival decides: what comes stands
 * just after the newest message that is there, and never leaves its own second.
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
