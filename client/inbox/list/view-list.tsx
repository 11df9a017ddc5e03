import './view-list.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ViewFilter } from '#shared/saved-views/api.ts'
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
  return (
    <fieldset className="view-list">
      <legend className="sr-only">{t('views.title')}</legend>
      {data?.items.map(({ id, name, filter, shared }) => (
        <button key={id} type="button" className="view-option line" onClick={() => onPick(filter)}>
          <Icon name={shared ? 'building' : 'person'} />
          <span className="cut" dir="auto">
            {name}
          </span>
        </button>
      ))}
      <button type="button" className="link" onClick={onManage}>
        {t('views.manage')}
      </button>
    </fieldset>
  )
}
