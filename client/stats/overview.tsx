import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { countText } from '#client/ui/text/count.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime } from '#shared/kernel/time.ts'
import { maxCounted, type StatsOverview } from '#shared/stats/api.ts'
import { overviewQuery } from './queries.ts'
import './stats.css'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'

/** Filters of the inbox whose conversations a figure counts. Messages of a day have no list: they are no links. */
const inboxFilters: { readonly [F in Figure]?: string } = {
  open: '',
  unread: '?unread=1',
  waiting: '?needsHuman=1',
  metaAgent: '?metaAgent=1',
}

const now = ['open', 'unread', 'waiting', 'metaAgent'] as const
const today = ['received', 'sent'] as const
/** Most organizations have no such agent. */
const withoutMetaAgent = now.filter(name => name !== 'metaAgent')
type Figure = (typeof now)[number] | (typeof today)[number]

interface FiguresProps {
  readonly titled: 'inbox' | 'today'
  readonly names: readonly Figure[]
  readonly overview?: StatsOverview
}

function Figures({ titled, names, overview }: FiguresProps) {
  const { t, i18n } = useTranslation('stats')
  const { slug, role } = useOrg()
  const canOpen = roleCan(effectiveRole(role), 'chat:read')
  const value = (name: Figure, counts: StatsOverview) => {
    const text = countText(counts[name], maxCounted, i18n.language)
    const filter = canOpen && counts[name] ? inboxFilters[name] : undefined
    return filter === undefined ? text : <Link to={`${paths.chats(slug)}${filter}`}>{text}</Link>
  }
  return (
    <section className="card" aria-labelledby={`overview-${titled}`}>
      <h2 id={`overview-${titled}`}>{t(titled)}</h2>
      <dl className="figures">
        {names.map(name => (
          <div key={name}>
            <dt>{t(`figure.${name}`)}</dt>
            <dd>{overview ? value(name, overview) : <span className="skeleton" />}</dd>
            <dd className="field-hint">{t(`means.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Counted() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { timeZone } = useFacts()
  const query = overviewQuery(slug, timeZone)
  const data = useAnswer(query)
  const countedAt = useQueryClient().getQueryState(query.queryKey)?.dataUpdatedAt ?? 0
  const isQuiet = data.open === 0 && data.received === 0 && data.sent === 0
  return (
    <>
      <div className="stats-pair">
        <Figures titled="inbox" names={data.metaAgent ? now : withoutMetaAgent} overview={data} />
        <Figures titled="today" names={today} overview={data} />
      </div>
      <p className="field-hint" suppressHydrationWarning>
        {t('counted', { time: clockTime(new Date(countedAt).toISOString(), timeZone), zone: zoneCity(timeZone) })}
      </p>
      {isQuiet && roleCan(effectiveRole(role), 'chat:read') ? (
        <p>
          {t('quiet')} <Link to={paths.chats(slug)}>{t('toChats')}</Link>
        </p>
      ) : null}
    </>
  )
}

/** The inbox now, and the messages of today. */
export const Overview = () => (
  <Suspense
    fallback={
      <div className="stats-pair">
        <Figures titled="inbox" names={withoutMetaAgent} />
        <Figures titled="today" names={today} />
      </div>
    }
  >
    <Counted />
  </Suspense>
)
