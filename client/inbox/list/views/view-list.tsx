import './view-list.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import type { ListFilter } from '../list-filter.ts'
import { isShown, useViewWords, viewFilter } from './view-filter.ts'
import { viewsQuery } from './views-query.ts'

interface ViewListProps {
  readonly org: string
  onPick(view: ViewFilter): void
}

/** The saved views; nothing without any. */
export function ViewList({ org, onPick }: ViewListProps) {
  const { t } = useTranslation('inbox')
  const { data } = useQuery(viewsQuery(org))
  const wordsOf = useViewWords(org, data?.items ?? [])
  if (!data?.items.length) return null
  return (
    <fieldset className="view-list">
      <legend className="sr-only">{t('views.title')}</legend>
      {data.items.map(view => (
        <button
          key={view.id}
          type="button"
          className="view-option line"
          title={wordsOf(view)}
          onClick={() => onPick(view.filter)}
        >
          <Icon name={view.shared ? 'building' : 'person'} />
          <span className="cut" dir="auto">
            {view.name}
          </span>
        </button>
      ))}
    </fieldset>
  )
}

interface ViewActsProps {
  readonly org: string
  /** The filters of the list. */
  readonly filter: ListFilter
  onSave(): void
  onManage(): void
}

/** Below the filters: saves them as a view, unless one has them already, and changes the saved ones. */
export function ViewActs({ org, filter, onSave, onManage }: ViewActsProps) {
  const { t } = useTranslation('inbox')
  const views = useQuery(viewsQuery(org)).data?.items ?? []
  const isSaved = views.some(view => isShown({ ...filter, search: '' }, view.filter))
  const canSave = Object.keys(viewFilter(filter)).length > 0 && !isSaved
  return (
    <div className="view-acts line">
      {canSave ? (
        <button type="button" className="link" onClick={onSave}>
          {t('views.saveThis')}
        </button>
      ) : null}
      {views.length ? (
        <button type="button" className="link push" onClick={onManage}>
          {t('views.manage')}
        </button>
      ) : canSave ? null : (
        <span className="fine">{t('views.nothing')}</span>
      )}
    </div>
  )
}
