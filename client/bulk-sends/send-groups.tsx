import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type BulkSendGroup, bulkSendGroups } from '#shared/bulk-sends.ts'
import '../ui/pills.css'
import { groupOf } from './queries.ts'

const names = Object.keys(bulkSendGroups) as BulkSendGroup[]

/** What the list of sends is narrowed to; it stands in the address, so that it survives a reload. */
export function SendGroups() {
  const { t } = useTranslation('bulk')
  const [query, setQuery] = useSearchParams()
  const group = groupOf(query)
  const show = (name: BulkSendGroup | undefined) =>
    setQuery(name ? { group: name } : {}, { replace: true, preventScrollReset: true })
  return (
    <fieldset className="pills bulk-states">
      <legend className="sr-only">{t('filter')}</legend>
      <button type="button" aria-pressed={group === undefined} onClick={() => show(undefined)}>
        {t('group.all')}
      </button>
      {names.map(name => (
        <button key={name} type="button" aria-pressed={group === name} onClick={() => show(name)}>
          {t(`group.${name}`)}
        </button>
      ))}
    </fieldset>
  )
}
