import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatMoney } from '#client/ui/text/money.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { changeOf, durationText } from '#shared/stats/duration.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { Spark } from './spark.tsx'

type Figures = StatsSummary['figures']
type Name = 'attended' | 'firstResponse' | 'customerWait' | 'resolution' | 'containment' | 'cost'

/** The definition of a figure, behind a question mark. */
export function Definition({ name, children }: { readonly name: string; readonly children: string }) {
  const { t } = useTranslation('stats')
  return (
    <details className="stats-means">
      <summary aria-label={t('summary.meaning', { name })}>?</summary>
      <p>{children}</p>
    </details>
  )
}

/** Whether a rise or a fall of the figure is good. */
type Better = 'more' | 'less' | 'neither'

function Trend({ change, better }: { readonly change: number | null; readonly better: Better }) {
  const { t, i18n } = useTranslation('stats')
  if (change === null) return <span>{t('summary.noBefore')}</span>
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const isGood = better === 'neither' || change === 0 ? undefined : change > 0 === (better === 'more')
  const says = t(change < 0 ? 'summary.fell' : 'summary.rose', { share: percent.format(Math.abs(change)) })
  return (
    <span className="stats-trend" data-good={isGood}>
      {change === 0 ? t('summary.same') : says}
    </span>
  )
}

interface FigureProps {
  readonly name: Name
  readonly value: string
  /** Absent: the figure counts no conversations. */
  readonly href?: string | undefined
  readonly change: number | null
  readonly better: Better
  readonly values?: readonly (number | null)[]
  /** How a value of a day is written. */
  readonly format?: (value: number) => string
  readonly beside: readonly string[]
}

function Figure({ name, value, href, change, better, values, format = String, beside }: FigureProps) {
  const { t } = useTranslation('stats')
  const title = t(`summary.figure.${name}`)
  return (
    <div className="stats-figure">
      <h3>
        {title}
        <Definition name={title}>{t(`summary.means.${name}`)}</Definition>
      </h3>
      <p className="stats-value">{href ? <Link to={href}>{value}</Link> : value}</p>
      {values ? (
        <Spark
          values={values}
          says={(least, most) => t('summary.spark', { least: format(least), most: format(most) })}
        />
      ) : null}
      <p className="stats-beside">
        <Trend change={change} better={better} />
        {beside.map(one => (
          <span key={one}>{one}</span>
        ))}
      </p>
    </div>
  )
}

/** The six figures of a period, each with its trend and definition. */
export function SixFigures({ summary }: { readonly summary: StatsSummary }) {
  const { t, i18n } = useTranslation('stats')
  const { figures, days } = summary
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  const { attended, containment, cost } = figures

  const timed = (name: 'firstResponse' | 'customerWait' | 'resolution', more: readonly string[] = []) => {
    const { count, medianMs, p90Ms, meanMs, before, href }: Figures['resolution'] = figures[name]
    const isFew = count < fewCases
    return (
      <Figure
        name={name}
        value={medianMs === null ? '—' : isFew ? t('summary.few', { count }) : durationText(medianMs)}
        href={count ? href : undefined}
        change={isFew ? null : changeOf(medianMs, before)}
        better="less"
        values={days.map(day => day[`${name}Ms`])}
        format={durationText}
        beside={[
          ...(isFew || p90Ms === null || meanMs === null
            ? [t(count ? 'summary.fewWhy' : 'summary.noCases')]
            : [t('summary.p90', { time: durationText(p90Ms) }), t('summary.mean', { time: durationText(meanMs) })]),
          ...more,
        ]}
      />
    )
  }
  return (
    <section className="card stats-figures" aria-label={t('summary.title')}>
      <Figure
        name="attended"
        value={number.format(attended.value)}
        href={attended.value ? attended.href : undefined}
        change={changeOf(attended.value, attended.before)}
        better="neither"
        values={days.map(day => day.attended)}
        format={number.format}
        beside={attended.before === null ? [] : [t('summary.before', { value: number.format(attended.before) })]}
      />
      {timed('firstResponse')}
      {timed('customerWait', [t('summary.waitingNow', { count: figures.customerWait.waitingNow })])}
      {timed('resolution')}
      <Figure
        name="containment"
        value={
          containment.share === null
            ? '—'
            : containment.withBot < fewCases
              ? t('summary.few', { count: containment.withBot })
              : percent.format(containment.share)
        }
        href={containment.ended ? containment.href : undefined}
        change={containment.withBot < fewCases ? null : changeOf(containment.share, containment.before)}
        better="more"
        values={days.map(day => (day.withBot ? day.contained / day.withBot : null))}
        format={percent.format}
        beside={[
          containment.withBot
            ? t('summary.ofBots', {
                ended: number.format(containment.ended),
                all: number.format(containment.withBot),
              })
            : t('summary.noBots'),
        ]}
      />
      <Figure
        name="cost"
        value={
          cost
            ? cost.amounts.map(({ amount, currency }) => formatMoney(amount, currency, i18n.language)).join(' + ')
            : '—'
        }
        change={null}
        better="neither"
        beside={[cost ? t('summary.estimated') : t('summary.noCost')]}
      />
    </section>
  )
}
