import { useTranslation } from 'react-i18next'

/** A table that loads. */
export function RowsSkeleton() {
  const { t } = useTranslation('admin')
  return (
    <div role="status">
      <span className="sr-only">{t('loading')}</span>
      <span className="skeleton skeleton-rows admin-skeleton" />
    </div>
  )
}
