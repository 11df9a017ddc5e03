import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatMoney } from '#client/ui/text/money.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { durationText, percentagePoints, relativeChange } from '#shared/stats/duration.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { type Daily, DailySpark, DayTable } from './days.tsx'

type Figures = StatsSummary['figures']
type TimedName = 'firstResponse' | 'customerWait' | 'resolution'
type Name = 'attended' | TimedName | 'containment' | 'cost'

/** The definition of a figure, behind a question mark. */
export function Definition({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { t } = useTranslation('stats')
  return (
    <details className="stats-means">
      <summary aria-label={t('summary.meaning', { name })}>?</summary>
      <p>{children}</p>
    </details>
  )
}

/** The direction of change that is good, if any. */
type Better = 'more' | 'less' | 'neither'

interface TrendProps {
  /** In percent of the value before, or of a share in percentage points; whole. */
  readonly change: number | null
  readonly isShare: boolean
  readonly better: Better
}

function Trend({ change, isShare, better }: TrendProps) {
  const { t, i18n } = useTranslation('stats')
  if (change === null) return <span>{t('summary.noBefore')}</span>
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const isSame = change === 0
  const isGood = better === 'neither' || isSame ? undefined : change > 0 === (better === 'more')
  const count = Math.abs(change)
  const says = isShare
    ? t(change < 0 ? 'summary.fellPoints' : 'summary.rosePoints', { count })
    : t(change < 0 ? 'summary.fell' : 'summary.rose', { share: percent.format(count / 100) })
  return (
    <span className="stats-trend" data-good={isGood}>
      {isSame ? t('summary.same') : says}
    </span>
  )
}

/** A figure beside the large one; without an address it counts no conversations. */
interface Beside {
  readonly says: string
  readonly href?: string | undefined
}

interface FigureProps {
  readonly name: Name
  readonly value: string
  /** Absent: the figure counts no conversations. */
  readonly href?: string | undefined
  /** Null: the period before has no such figure. Undefined: nothing is said of a change. @see TrendProps */
  readonly change: number | null | undefined
  readonly isShare?: boolean
  readonly isMedian?: boolean
  readonly better: Better
  readonly daily?: Daily
  readonly beside: readonly Beside[]
  /** On a phone these stand with the definition instead of beside the figure. */
  readonly details?: readonly string[]
}

function Figure(props: FigureProps) {
  const { name, value, href, change, isShare = false, isMedian, better, daily, beside, details = [] } = props
  const { t } = useTranslation('stats')
  const title = t(`summary.figure.${name}`)
  return (
    <div className="stats-figure">
      <h3>
        <span>
          {title}
          {isMedian ? <span className="stats-median"> · {t('summary.median')}</span> : null}
        </span>
        <Definition name={title}>
          {t(`summary.means.${name}`)}
          {details.length ? <span className="stats-details-below">{details.join(' · ')}</span> : null}
        </Definition>
      </h3>
      <p className="stats-value">{href ? <Link to={href}>{value}</Link> : value}</p>
      {daily ? <DailySpark title={title} daily={daily} /> : null}
      <p className="stats-beside">
        {change === undefined ? null : <Trend {...{ change, isShare, better }} />}
        {beside.map(({ says, href: to }) => (
          <span key={says}>{to ? <Link to={to}>{says}</Link> : says}</span>
        ))}
        {details.map(says => (
          <span key={says} className="stats-details">
            {says}
          </span>
        ))}
      </p>
    </div>
  )
}

/** The six figures of a period, each with its trend and definition, and what they were on each day. */
export function SixFigures({ summary }: { readonly summary: StatsSummary }) {
  const { t, i18n } = useTranslation('stats')
  const { figures, days } = summary
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  const { attended, customerWait, containment, cost } = figures
  // If nobody wrote in the period before, its line above the figures says so, once.
  const since = (change: number | null) => (attended.before ? change : undefined)
  const percentSince = (now: number | null, before: number | null) => {
    const change = relativeChange(now, before)
    return since(change === null ? null : Math.round(change * 100))
  }
  const dayNames = days.map(({ day }) => day)
  const timesByDay = (name: TimedName): Daily => ({
    days: dayNames,
    values: days.map(day => day[`${name}Ms`]),
    cases: days.map(day => day[`${name}s`]),
    format: durationText,
    href: figures[name].href,
  })
  const daily = {
    attended: { days: dayNames, values: days.map(day => day.attended), format: number.format, href: attended.href },
    firstResponse: timesByDay('firstResponse'),
    customerWait: timesByDay('customerWait'),
    resolution: timesByDay('resolution'),
    containment: {
      days: dayNames,
      values: days.map(({ withBot, contained }) => (withBot ? contained / withBot : null)),
      cases: days.map(({ withBot }) => withBot),
      format: percent.format,
      href: containment.withBotHref,
    },
  }

  const timed = (name: TimedName, more: readonly Beside[] = []) => {
    const { count, medianMs, p90Ms, meanMs, before, href }: Figures['resolution'] = figures[name]
    const isFew = count < fewCases
    const few = count ? { says: t('summary.fewWhy', { count }), href } : { says: t('summary.noCases') }
    return (
      <Figure
        name={name}
        value={medianMs === null || isFew ? '—' : durationText(medianMs)}
        href={isFew ? undefined : href}
        change={isFew ? undefined : percentSince(medianMs, before)}
        isMedian
        better="less"
        daily={daily[name]}
        beside={[
          ...(isFew || p90Ms === null || meanMs === null
            ? [few]
            : before === null
              ? []
              : [{ says: t('summary.before', { value: durationText(before) }) }]),
          ...more,
        ]}
        details={
          isFew || p90Ms === null || meanMs === null
            ? []
            : [t('summary.p90', { time: durationText(p90Ms) }), t('summary.mean', { time: durationText(meanMs) })]
        }
      />
    )
  }
  return (
    <section className="card stats-figures" aria-labelledby="figures">
      <h2 id="figures" className="sr-only">
        {t('summary.title')}
      </h2>
      <Figure
        name="attended"
        value={number.format(attended.value)}
        href={attended.value ? attended.href : undefined}
        change={percentSince(attended.value, attended.before)}
        better="neither"
        daily={daily.attended}
        beside={attended.before ? [{ says: t('summary.before', { value: number.format(attended.before) }) }] : []}
      />
      {timed('firstResponse')}
      {timed('customerWait', [
        {
          says: t('summary.waitingNow', { count: customerWait.waitingNow }),
          href: customerWait.waitingNow ? customerWait.waitingHref : undefined,
        },
      ])}
      {timed('resolution')}
      <Figure
        name="containment"
        value={containment.share === null || containment.withBot < fewCases ? '—' : percent.format(containment.share)}
        href={containment.ended && containment.withBot >= fewCases ? containment.href : undefined}
        change={
          containment.withBot < fewCases ? undefined : since(percentagePoints(containment.share, containment.before))
        }
        isShare
        better="more"
        daily={daily.containment}
        beside={[
          containment.withBot
            ? {
                says: t('summary.ofBots', {
                  ended: number.format(containment.ended),
                  all: number.format(containment.withBot),
                }),
                href: containment.withBotHref,
              }
            : { says: t('summary.noBots') },
        ]}
      />
      <Figure
        name="cost"
        value={
          cost
            ? cost.amounts.map(({ amount, currency }) => formatMoney(amount, currency, i18n.language)).join(' + ')
            : '—'
        }
        href={cost?.href ?? undefined}
        change={undefined}
        better="neither"
        beside={cost ? [] : [{ says: t('summary.noCost') }]}
      />
      <DayTable daily={daily} />
    </section>
  )
}
