import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { openBlocks } from '#shared/stats/blocks.ts'
import { useOptionalAnswer } from '../app/use-answer.ts'
import { useOrg } from '../shell/viewer.ts'
import { filterIn, summaryQuery } from './queries.ts'

/** Links to the parts of the long page. A press focuses the part's heading. */
export function StatsSections({ showsCosts }: { readonly showsCosts: boolean }) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const { search } = useLocation()
  const [query] = useSearchParams()
  const summary = useOptionalAnswer(summaryQuery(slug, filterIn(query)))
  const parts: readonly (readonly [id: string, title: string])[] = [
    ['first-responses', t('summary.figure.firstResponse')],
    ['heat', t('summary.heat')],
    ...(summary?.members.length ? [['by-members', t('summary.by.members')] as const] : []),
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
