import { useTranslation } from 'react-i18next'

const skeletonRows = 4

export function RowsSkeleton() {
  const { t } = useTranslation('admin')
  return (
    <div role="status">
      <span className="field-hint">{t('loading')}</span>
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical and never moved
        <span className="skeleton admin-row" key={row} />
      ))}
    </div>
  )
}
