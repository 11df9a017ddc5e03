import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { CallsFilter } from './queries.ts'

interface FiltersProps {
  readonly filter: CallsFilter
  readonly keys: readonly { readonly id: string; readonly name: string }[]
}

/** Asks for the list again: calls emit no event. */
export function RefreshButton({ className = 'button' }: { className?: string }) {
  const { t } = useTranslation('api-calls')
  const client = useQueryClient()
  const { slug } = useOrg()
  const [isAsking, ask] = useTransition()
  const refresh = () => ask(() => client.invalidateQueries({ queryKey: keyFor(slug, 'apiCalls.listCalls') }))
  return (
    <button type="button" className={className} aria-disabled={isAsking} onClick={() => isAsking || refresh()}>
      {isAsking ? t('refreshing') : t('refresh')}
    </button>
  )
}

/** The page's filters, stored in the address. */
export function Filters({ filter, keys }: FiltersProps) {
  const { t } = useTranslation('api-calls')
  /** Shown until the address has changed. */
  const [turned, setTurned] = useState<{ from: boolean; to: boolean }>()
  const isOn = filter.errors ?? false
  const showsErrors = turned?.from === isOn ? turned.to : isOn
  const [, put] = useAddressPart()
  const { key = '' } = filter
  const isListed = key === '' || keys.some(one => one.id === key)
  return (
    <div className="filter-row calls-filters">
      <label>
        <span className="sr-only">{t('key')}</span>
        <select value={key} onChange={({ target }) => put('key', target.value)}>
          <option value="">{t('anyKey')}</option>
          {isListed ? null : <option value={key}>{t('goneKey')}</option>}
          {keys.map(one => (
            <option key={one.id} value={one.id} dir="auto">
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={showsErrors}
          onChange={({ target }) => {
            setTurned({ from: isOn, to: target.checked })
            put('errors', target.checked ? '1' : '')
          }}
        />
        {t('errorsOnly')}
      </label>
      <RefreshButton className="button filter-end" />
    </div>
  )
}
