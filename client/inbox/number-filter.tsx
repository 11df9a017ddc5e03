import { useSearchParams } from 'react-router'
import { nameOfNumber } from '#shared/number-name.ts'
import { useNumbers } from './numbers.ts'
import type { InboxT } from './words.ts'

/** Of which of our numbers the list shows conversations; nothing where there is one only. */
export const NumberFilter = ({ org, shown, t }: { org: string; shown: string | undefined; t: InboxT }) => {
  const numbers = useNumbers(org)
  const [, setAddress] = useSearchParams()
  if (!numbers.length) return null
  const show = (number: string) =>
    setAddress(
      before => {
        const next = new URLSearchParams(before)
        if (number) next.set('number', number)
        else next.delete('number')
        return next
      },
      { preventScrollReset: true },
    )
  return (
    <select
      className="list-filter-number"
      aria-label={t('list.number')}
      value={numbers.some(({ phone }) => phone === shown) ? shown : ''}
      onChange={event => show(event.target.value)}
    >
      <option value="">{t('list.allNumbers')}</option>
      {numbers.map(({ id, phone }) => (
        <option key={id} value={phone}>
          {nameOfNumber(numbers, phone)}
        </option>
      ))}
    </select>
  )
}
