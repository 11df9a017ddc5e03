import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useDetails } from '#client/ui/page/use-details.ts'

const Costs = lazy(() => import('./costs.tsx'))

/** The planned cost of each bulk send. Requested when a person opens it. */
export function PlannedCosts() {
  const { t } = useTranslation('stats')
  const { isOpen, details } = useDetails()
  return (
    <section className="card" aria-labelledby="costs">
      <h2 id="costs">{t('costs.title')}</h2>
      <p>{t('costs.text')}</p>
      <details className="stats-more stats-planned" {...details}>
        <summary>{t('costs.open')}</summary>
        {isOpen ? (
          <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
            <Costs />
          </Suspense>
        ) : null}
      </details>
    </section>
  )
}
