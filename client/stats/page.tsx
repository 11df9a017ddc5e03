import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { useAnswer } from '#client/use-answer.ts'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { maxCounted, type StatsOverview } from '#shared/stats.ts'
import { clockTime } from '#shared/time.ts'
import { factsContext, useFacts } from '../facts.ts'
import { queryFor, start } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { countText } from '../ui/count.ts'
import { SheetHead } from '../ui/sheet-head.tsx'
import './stats.css'

const overviewQuery = (org: string, timeZone: string) => ({
  ...queryFor(org, 'stats.getOverview', { query: { timeZone } }),
  refetchInterval: 60_000,
})

export const loader = (args: LoaderFunctionArgs) =>
  start(args, overviewQuery(args.params.org ?? '', args.context.get(factsContext).timeZone))

const now = ['open', 'unread', 'waiting'] as const
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

/** The place a time zone is named after, as people write it. */
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

/** `/org/{slug}/stats`: how the inbox stands now. */
export default function StatsPage() {
  const { t } = useTranslation('stats')
  return (
    <main className="sheet">
      <SheetHead title={t('title')}>{t('text')}</SheetHead>
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
    </main>
  )
}
