import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { OwnNumber } from '#server/messaging/conversations/rows/number-store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'

const noneOfOurs = () => new InvalidInput([{ field: 'body.phone', code: 'invalid', params: {} }])

/** The customer's last message opened the window, so the latest window marks the latest conversation. */
const byLastWord = (a: ListRow, b: ListRow): number =>
  (a.window_closes_at ?? '') < (b.window_closes_at ?? '') ? 1 : -1

/**
 * Chooses the customer's conversation for a message: the one on `phone` (our number), or of the connected numbers the
 * one that the customer wrote to last. Undefined: there is none on that number. @param found all conversations that the
 * address matches: a customer's, or a single one by id. @throws INBOX_NOT_CONNECTED, InvalidInput when `phone` is not
 * one of our connected numbers, or not that of the conversation addressed by id.
 */
export function chooseConversation(
  found: readonly ListRow[],
  numbers: readonly OwnNumber[],
  asked: { phone: string | undefined; isOne: boolean },
): ListRow | undefined {
  const connected = numbers.filter(number => number.isConnected)
  if (!connected.length) throw inboxErrors.NOT_CONNECTED()
  if (asked.phone) {
    const key = phoneKey(digitsOf(asked.phone))
    const own = connected.find(number => phoneKey(number.phone) === key)
    const row = own && found.find(({ connection_id: id }) => id === own.id)
    if (!own || (!row && asked.isOne && found.length)) throw noneOfOurs()
    return row
  }
  const ids = new Set(connected.map(number => number.id))
  const usable = found.filter(row => ids.has(row.connection_id))
  if (!usable.length && found.length) throw inboxErrors.NOT_CONNECTED()
  return usable.toSorted(byLastWord)[0]
}
