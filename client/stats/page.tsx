import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { countText } from '#client/ui/text/count.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime } from '#shared/kernel/time.ts'
import { maxCounted, type StatsOverview } from '#shared/stats/api.ts'
import { factsContext, useFacts } from '../app/facts.ts'
import { start } from '../app/queries.ts'
import { findOrg, requireViewer, useOrg } from '../shell/viewer.ts'
import { Blocks } from './blocks/blocks.tsx'
import { blockQueries } from './blocks/queries.ts'
import { Costs } from './costs.tsx'
import { Exports } from './export/exports.tsx'
import { exportsQuery } from './export/queries.ts'
import { FilterBar } from './filter-bar.tsx'
import { costsQuery, filterIn, overviewQuery, summaryQuery } from './queries.ts'
import { Summary } from './summary.tsx'
import './stats.css'

/** The role decides what is shown: billing sees costs and no conversations. */
const parts = (role: OrgRole) => ({
  showsInbox: roleCan(role, 'stats:read'),
  showsCosts: roleCan(role, 'cost:read'),
})

export const loader = async (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  const { showsInbox, showsCosts } = parts(effectiveRole(findOrg(await requireViewer(args), org)?.role))
  return start(
    args,
    ...(showsInbox
      ? [
          overviewQuery(org, args.context.get(factsContext).timeZone),
          summaryQuery(org, filterIn(new URL(args.request.url).searchParams)),
          ...blockQueries(org, new URL(args.request.url).searchParams),
          exportsQuery(org),
        ]
      : []),
    ...(showsCosts ? [costsQuery(org)] : []),
  )
}

const now = ['open', 'unread', 'waiting', 'metaAgent'] as const
const today = ['received', 'sent'] as const
type Figure = (typeof now)[number] | (typeof today)[number]

function Figures({ titled, names, overview }: { titled: string; names: readonly Figure[]; overview?: StatsOverview }) {
  const { t, i18n } = useTranslation('stats')
  return (
    <section className="card" aria-labelledby={titled}>
      <h2 id={titled}>{t(titled as 'now')}</h2>
      <dl className="figures">
        {names.map(name => (
          <div key={name}>
            <dt>{t(`figure.${name}`)}</dt>
            <dd>{overview ? countText(overview[name], maxCounted, i18n.language) : <span className="skeleton" />}</dd>
            <dd className="field-hint">{t(`means.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The city in a time zone's name. */
const placeOf = (timeZone: string) => timeZone.split('/').at(-1)?.replaceAll('_', ' ')

function Overview() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { timeZone } = useFacts()
  const overview = overviewQuery(slug, timeZone)
  const data = useAnswer(overview)
  const countedAt = useQueryClient().getQueryState(overview.queryKey)?.dataUpdatedAt ?? 0
  const isQuiet = data.open === 0 && data.received === 0 && data.sent === 0
  return (
    <>
      <Figures titled="now" names={now} overview={data} />
      <Figures titled="today" names={today} overview={data} />
      <p className="field-hint" suppressHydrationWarning>
        {t('counted', { time: clockTime(new Date(countedAt).toISOString(), timeZone), zone: placeOf(timeZone) })}
      </p>
      {isQuiet && roleCan(effectiveRole(role), 'chat:read') ? (
        <p>
          {t('quiet')} <Link to={paths.chats(slug)}>{t('toChats')}</Link>
        </p>
      ) : null}
    </>
  )
}

/** `/org/{slug}/stats`: the inbox now, and costs of bulk sends. */
export default function StatsPage() {
  const { t } = useTranslation('stats')
  const { role } = useOrg()
  const [query] = useSearchParams()
  const { showsInbox, showsCosts } = parts(effectiveRole(role))
  return (
    <main className="sheet stats-sheet">
      <SheetHead title={t('title')}>{showsInbox ? t('text') : null}</SheetHead>
      {showsInbox ? (
        <Suspense
          fallback={
            <>
              <Figures titled="now" names={now} />
              <Figures titled="today" names={today} />
            </>
          }
        >
          <Overview />
        </Suspense>
      ) : null}
      {showsInbox ? (
        <>
          <h2>{t('summary.title')}</h2>
          <FilterBar />
          <Exports filter={filterIn(query)} />
          <Suspense fallback={<div className="skeleton stats-skeleton" aria-hidden="true" />}>
            <Summary />
          </Suspense>
          <Blocks />
        </>
      ) : null}
      {showsCosts ? (
        <section className="card" aria-labelledby="costs">
          <h2 id="costs">{t('costs.title')}</h2>
          <p>{t('costs.text')}</p>
          <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
            <Costs />
          </Suspense>
        </section>
      ) : null}
    </main>
  )
}
