import type { TransactionListener } from './listeners.ts'

/** Used in `after`: the listener runs after all listeners that do not use it themselves. */
export const everyOther = '*'

const isLast = ({ after = [] }: TransactionListener) => after.includes(everyOther)

/**
 * Orders listeners: each behind those in its `after`, otherwise as given.
 *
 * @throws if `after` names an unknown listener, or listeners come after one another in a circle
 */
export function orderListeners(listeners: readonly TransactionListener[]): TransactionListener[] {
  const names = new Set(listeners.map(({ name }) => name))
  for (const { name, after = [] } of listeners)
    for (const other of after)
      if (other !== everyOther && !names.has(other))
        throw new Error(`The listener "${name}" comes after "${other}", which is not a listener`)

  const comesAfter = (one: TransactionListener, other: TransactionListener) =>
    one.after?.includes(other.name) || (isLast(one) && !isLast(other))
  const waiting = [...listeners.filter(one => !isLast(one)), ...listeners.filter(isLast)]
  const ordered: TransactionListener[] = []
  while (waiting.length) {
    const next = waiting.findIndex(one => !waiting.some(other => comesAfter(one, other)))
    if (next < 0)
      throw new Error(`These listeners come after one another: ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered
}
