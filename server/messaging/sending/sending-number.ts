import { InvalidInput } from '#server/platform/http/validate.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import type { ListRow } from '../conversations/list-row-store.ts'
import type { OwnNumber } from '../conversations/number-store.ts'
import { inboxErrors } from '../errors.ts'

const noneOfOurs = () => new InvalidInput([{ field: 'body.phone', code: 'invalid', params: {} }])

/** The later window first: it is open since the customer's last word. */
const byLastWord = (a: ListRow, b: ListRow): number =>
  (a.window_closes_at ?? '') < (b.window_closes_at ?? '') ? 1 : -1

/**
 * Which of a customer's conversations a message goes into: the one on `phone`, our number; without it the one on the
 * number the customer wrote to last, of those that are connected. Undefined: nothing was ever said on that number.
 * @param found all conversations that were addressed: a customer's, or a single one.
 * @throws INBOX_NOT_CONNECTED, InvalidInput when `phone` is none of our connected numbers, or another one than that of
 * the conversation addressed by its id.
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
