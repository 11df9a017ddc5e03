import './view-list.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import { useViewWords } from './view-filter.ts'
import { viewsQuery } from './views-query.ts'

interface ViewListProps {
  readonly org: string
  onPick(view: ViewFilter): void
  onManage(): void
}

/** Saved views, and a button to manage them. */
export function ViewList({ org, onPick, onManage }: ViewListProps) {
  const { t } = useTranslation('inbox')
  const { data } = useQuery(viewsQuery(org))
  const wordsOf = useViewWords(org, data?.items ?? [])
  return (
    <fieldset className="view-list">
      <legend className="sr-only">{t('views.title')}</legend>
      {data?.items.map(view => (
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
      <button type="button" className="link" onClick={onManage}>
        {t('views.manage')}
      </button>
    </fieldset>
  )
}
