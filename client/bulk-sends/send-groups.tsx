import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useOptionalAnswer } from '#client/use-answer.ts'
import { type BulkSendGroup, bulkSendGroups } from '#shared/bulk-sends.ts'
import { useOrg } from '../shell/viewer.ts'
import '../ui/pills.css'
import { groupCountsQuery, groupOf } from './queries.ts'

const names = Object.keys(bulkSendGroups) as BulkSendGroup[]

/** What the list of sends is narrowed to, each with how many there are; it stands in the address, so that it survives a reload. */
export function SendGroups() {
  const { t, i18n } = useTranslation('bulk')
  const { slug } = useOrg()
  const counts = useOptionalAnswer(groupCountsQuery(slug))
  const counted = new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB')
  const countOf = (name: 'all' | BulkSendGroup) => <span>{counts ? counted.format(counts[name]) : null}</span>
  const [query, setQuery] = useSearchParams()
  const group = groupOf(query)
  const show = (name: BulkSendGroup | undefined) =>
    setQuery(name ? { group: name } : {}, { replace: true, preventScrollReset: true })
  return (
    <fieldset className="pills bulk-states">
      <legend className="sr-only">{t('filter')}</legend>
      <button type="button" aria-pressed={group === undefined} onClick={() => show(undefined)}>
        {t('group.all')} {countOf('all')}
      </button>
      {names.map(name => (
        <button key={name} type="button" aria-pressed={group === name} onClick={() => show(name)}>
          {t(`group.${name}`)} {countOf(name)}
        </button>
      ))}
    </fieldset>
  )
}
