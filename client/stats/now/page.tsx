import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { factsContext } from '#client/app/facts.ts'
import { start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { countText } from '#client/ui/text/count.ts'
import { MomentProvider, useMoment } from '#client/ui/text/moment.tsx'
import { answerDueIn } from '#shared/inbox/answer-due.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime, dayNumber, shortTime, startOfMinute } from '#shared/kernel/time.ts'
import { durationText, waitText } from '#shared/stats/duration.ts'
import { maxUnattended, type StatsNow } from '#shared/stats/now.ts'
import { Definition } from '../figures.tsx'
import { Overview } from '../overview.tsx'
import { overviewQuery } from '../queries.ts'
import { StatsTabs } from '../tabs.tsx'
import { People } from './people.tsx'
import { nowQuery } from './queries.ts'
import { useNowEvents } from './use-now-events.ts'
import { Waiting } from './waiting.tsx'
import '../summary.css'
import './now.css'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'

export const loader = (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  return start(args, nowQuery(org), overviewQuery(org, args.context.get(factsContext).timeZone))
}

interface FigureProps {
  readonly title: string
  readonly means?: string
  readonly counted?: StatsNow['late']
  readonly value?: string
  readonly state?: 'soon' | 'late' | undefined
  readonly beside: string
}

function Figure({ title, means, counted, value, state, beside }: FigureProps) {
  const { i18n } = useTranslation('stats')
  const text = counted
    ? countText(counted.count + (counted.more ? 1 : 0), counted.more ? counted.count : maxUnattended, i18n.language)
    : value
  return (
    <div className="stats-figure" data-state={state}>
      <h3>
        {state ? <Icon name={state === 'late' ? 'warn' : 'clock'} /> : null}
        {title}
        {means ? <Definition name={title}>{means}</Definition> : null}
      </h3>
      <p className="stats-value">{counted?.count ? <Link to={counted.href}>{text}</Link> : text}</p>
      <p className="stats-beside">{beside}</p>
    </div>
  )
}

function Figures({ answer }: { readonly answer: StatsNow }) {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { now } = useMoment()
  const { unattended, soon, late, worstMs, waiting, promiseMs, soonMs } = answer
  const [oldest] = waiting
  // By the clock on the wall, like the rows below.
  const due = oldest?.dueAt ? answerDueIn(oldest.dueAt, startOfMinute(now), oldest.since) : undefined
  return (
    <section className="card stats-figures now-figures" aria-labelledby="now-figures">
      <h2 id="now-figures" className="sr-only">
        {t('now.figures')}
      </h2>
      <Figure
        title={t('now.unattended')}
        means={t('now.means')}
        counted={unattended}
        beside={
          oldest ? t('now.oldest', { time: waitText(startOfMinute(now) - Date.parse(oldest.since)) }) : t('now.nobody')
        }
      />
      <Figure
        title={t('now.soon')}
        counted={soon}
        state={soon.count ? 'soon' : undefined}
        beside={soonMs === null ? t('now.noPromise') : t('now.soonMeans', { time: durationText(soonMs) })}
      />
      <Figure
        title={t('now.late')}
        counted={late}
        state={late.count ? 'late' : undefined}
        beside={
          promiseMs === null
            ? t('now.noPromise')
            : worstMs === null
              ? t('now.lateNone')
              : due?.isLate
                ? t('now.lateMeans', { time: due.time })
                : t('now.lateMeansLong')
        }
      />
      <div className="stats-figure">
        <h3>{t('now.promise')}</h3>
        <p className="stats-value">{promiseMs === null ? '—' : durationText(promiseMs)}</p>
        <p className="stats-beside">
          {t(promiseMs === null ? 'now.noPromise' : 'now.promiseMeans')}{' '}
          {roleCan(effectiveRole(role), 'org:update') ? (
            <Link to={`${paths.settingsOf(slug, 'attention')}#details`}>{t('now.change')}</Link>
          ) : null}
        </p>
      </div>
    </section>
  )
}

function Now() {
  const { t, i18n } = useTranslation('stats')
  const { slug } = useOrg()
  const answer = useAnswer(nowQuery(slug))
  useNowEvents(slug)
  const { at, timeZone, isOpen, opensAt } = answer
  const opens = (opening: string) => {
    const time = clockTime(opening, timeZone)
    const days = dayNumber(opening, timeZone) - dayNumber(at, timeZone)
    if (days === 0) return t('now.opensToday', { time })
    if (days === 1) return t('now.opensTomorrow', { time })
    return t('now.opensAt', { when: shortTime(opening, i18n.language as Language, timeZone) })
  }
  return (
    <MomentProvider timeZone={timeZone}>
      <p className="field-hint">
        {t('now.text')} {t('now.at', { time: clockTime(at, timeZone), zone: zoneCity(timeZone) })}{' '}
        {isOpen ? t('now.openNow') : opensAt ? opens(opensAt) : t('now.closed')}
      </p>
      <Figures answer={answer} />
      <div className="now-pair">
        <Waiting answer={answer} />
        <People answer={answer} />
      </div>
    </MomentProvider>
  )
}

/** `/org/{slug}/stats/now`: who waits for a first response, and who is there. */
export default function StatsNowPage() {
  const { t } = useTranslation('stats')
  return (
    <main className="sheet stats-sheet">
      <SheetHead title={t('now.title')} />
      <StatsTabs />
      <Suspense fallback={<div className="skeleton stats-skeleton" aria-hidden="true" />}>
        <Now />
      </Suspense>
      <Overview />
    </main>
  )
}
