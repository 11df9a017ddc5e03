import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useNumbers } from '../numbers.ts'
import type { InboxT } from '../words.ts'

/** Filters by one of our numbers. Nothing if there is only one. */
export const NumberFilter = ({ org, shown, t }: { org: string; shown: string | undefined; t: InboxT }) => {
  const numbers = useNumbers(org)
  const change = useAddressChange()
  if (!numbers.length) return null
  const show = (number: string) =>
    change(address => (number ? address.set('number', number) : address.delete('number')))
  return (
    <select
      className="list-filter-number"
      aria-label={t('list.number')}
      value={numbers.some(({ phone }) => phone === shown) ? shown : ''}
      onChange={event => show(event.target.value)}
    >
      <option value="">{t('list.allNumbers')}</option>
      {numbers.map(({ id, phone }) => (
        <option key={id} value={phone} dir="auto">
          {nameOfNumber(numbers, phone)}
        </option>
      ))}
    </select>
  )
}
