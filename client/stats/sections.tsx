import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { openBlocks } from '#shared/stats/blocks.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'

interface StatsSectionsProps {
  readonly summary: StatsSummary
  readonly showsCosts: boolean
}

/** Links to the parts of the long page. A press focuses the part's heading. */
export function StatsSections({ summary, showsCosts }: StatsSectionsProps) {
  const { t } = useTranslation('stats')
  const { search } = useLocation()
  const parts: readonly (readonly [id: string, title: string])[] = [
    ['first-responses', t('summary.figure.firstResponse')],
    ['heat', t('summary.heat')],
    ...(summary.members.length ? [['by-members', t('summary.by.members')] as const] : []),
    ...openBlocks.map(name => [`block-${name}`, t(`blocks.${name}.title`)] as const),
    ...(showsCosts ? [['block-cost', t('blocks.cost.title')] as const] : []),
    ['report', t('report.heading')],
  ]
  return (
    <nav className="stats-sections small" aria-label={t('sections')}>
      {parts.map(([id, title]) => (
        <Link key={id} to={{ search, hash: `#${id}` }} replace>
          {title}
        </Link>
      ))}
    </nav>
  )
}
