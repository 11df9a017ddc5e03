import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { type BulkSendGroup, bulkSendGroups } from '#shared/bulk-sends/states.ts'
import '#client/ui/styles/pills.css'
import { areDraftsOnly, draftGroup, draftsQuery, groupCountsQuery, groupOf } from './queries.ts'
import { useFigure } from './words.tsx'

const names = Object.keys(bulkSendGroups) as BulkSendGroup[]

/** Filters of the list of sends with counts, stored in the address. */
export function SendGroups() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const counts = useOptionalAnswer(groupCountsQuery(slug))
  const say = useFigure()
  const drafts = useOptionalAnswer(draftsQuery(slug))?.items.length
  const shown = (count: number | undefined) => <span>{count === undefined ? null : say(count)}</span>
  const [query, setQuery] = useSearchParams()
  const group = groupOf(query)
  const isOfDrafts = areDraftsOnly(query)
  const show = (name: BulkSendGroup | typeof draftGroup | undefined) =>
    setQuery(name ? { group: name } : {}, { replace: true, preventScrollReset: true })
  return (
    <fieldset className="pills bulk-states">
      <legend className="sr-only">{t('filter')}</legend>
      <button type="button" aria-pressed={group === undefined && !isOfDrafts} onClick={() => show(undefined)}>
        {t('group.all')} {shown(counts && drafts !== undefined ? counts.all + drafts : undefined)}
      </button>
      {names.map(name => (
        <button key={name} type="button" aria-pressed={group === name} onClick={() => show(name)}>
          {t(`group.${name}`)} {shown(counts?.[name])}
        </button>
      ))}
      <button type="button" aria-pressed={isOfDrafts} onClick={() => show(draftGroup)}>
        {t('group.drafts')} {shown(drafts)}
      </button>
    </fieldset>
  )
}
