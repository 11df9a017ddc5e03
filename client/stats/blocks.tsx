import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language } from '#shared/kernel/language.ts'
import { shortWeekdays } from '#shared/kernel/time.ts'
import { durationText } from '#shared/stats/duration.ts'
import { ageBucketsMs, responseBucketsMs } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import { ChartLink } from './chart-link.tsx'
import { BlockCsv } from './export/block-csv.tsx'
import { Definition } from './figures.tsx'

interface Bar {
  readonly says: string
  readonly count: number
  readonly late: number
  readonly href: string
}

/** `< 30 s`, `30 s a 2 min`, …, `> 1 h` */
function useBucketWords(ends: readonly number[]) {
  const { t } = useTranslation('stats')
  return (bucket: number): string => {
    const [from, to] = [ends[bucket - 1], ends[bucket]].map(ms => (ms === undefined ? '' : durationText(ms)))
    if (!from) return t('summary.under', { to })
    return to ? t('summary.between', { from, to }) : t('summary.over', { from })
  }
}

interface BarsProps {
  readonly bars: readonly Bar[]
  readonly what: string
  /** Null: none is promised. */
  readonly promiseMs: number | null
}

/** A bar chart that is a table, so that screen readers read the same figures. */
function Bars({ bars, what, promiseMs }: BarsProps) {
  const { t, i18n } = useTranslation('stats')
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  const late = bars.reduce((sum, bar) => sum + bar.late, 0)
  return (
    <>
      <table className="table stats-bars">
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col">{t('summary.conversations')}</th>
            <td />
            <th scope="col">%</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ says, count, late: later, href }) => {
            const share = total ? percent.format(count / total) : '—'
            const tip = `${says}: ${number.format(count)} · ${share}${later ? ` · ${t('summary.legend.late', { cases: number.format(later) })}` : ''}`
            const bar = (
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * (count - later)) / (total || 1)} height="10" />
                {later ? (
                  <rect
                    data-late=""
                    x={(100 * (count - later)) / (total || 1)}
                    width={(100 * later) / (total || 1)}
                    height="10"
                  />
                ) : null}
              </svg>
            )
            return (
              <tr key={says}>
                <th scope="row">{says}</th>
                <td>
                  {count ? (
                    <ChartLink to={href} tip={tip}>
                      {number.format(count)}
                    </ChartLink>
                  ) : (
                    0
                  )}
                </td>
                <td>
                  {count ? (
                    <ChartLink to={href} tip={tip} tabIndex={-1} aria-hidden="true">
                      {bar}
                    </ChartLink>
                  ) : (
                    bar
                  )}
                </td>
                <td>{share}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {promiseMs === null || !total ? null : (
        <p className="line wrap small stats-legend">
          <span className="line">
            <i aria-hidden="true" />
            {t('summary.legend.kept', { time: durationText(promiseMs), cases: number.format(total - late) })}
          </span>
          <span className="line" data-late="">
            <i aria-hidden="true" />
            {t('summary.legend.late', { cases: number.format(late) })}
          </span>
        </p>
      )}
    </>
  )
}

/** First responses by duration, compared with the promised time. */
export function FirstResponses({ summary }: { readonly summary: StatsSummary }) {
  const { t, i18n } = useTranslation('stats')
  const { buckets, promise, promiseMs, unanswered, figures } = summary
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const words = useBucketWords(responseBucketsMs)
  const { count } = figures.firstResponse
  const kept = t('summary.promise', {
    share: percent.format(promise.kept.count / count),
    time: durationText(promiseMs ?? 0),
  })
  return (
    <section className="card" aria-labelledby="first-responses">
      <h2 id="first-responses">
        {t('summary.figure.firstResponse')}
        <Definition name={t('summary.figure.firstResponse')}>{t('summary.means.buckets')}</Definition>
      </h2>
      <BlockCsv name="responses" title={t('summary.figure.firstResponse')} />
      <p>
        {count ? (
          <>
            {promiseMs === null ? (
              t('summary.noPromise')
            ) : promise.kept.count ? (
              <Link to={promise.kept.href}>{kept}</Link>
            ) : (
              kept
            )}{' '}
            {promiseMs === null ? null : promise.late.count ? (
              <Link to={promise.late.href}>{t('summary.late', { count: promise.late.count })}</Link>
            ) : (
              t('summary.late', { count: 0 })
            )}
          </>
        ) : (
          t('summary.noCases')
        )}{' '}
        {unanswered.count ? (
          <Link to={unanswered.href}>{t('summary.unanswered', { count: unanswered.count })}</Link>
        ) : null}
      </p>
      <Bars
        what={t('summary.time')}
        promiseMs={promiseMs}
        bars={buckets.map((bucket, i) => ({ ...bucket, says: words(i) }))}
      />
    </section>
  )
}

/** Open conversations that nobody has answered, by how long their customers wait. */
export function Unattended({ summary }: { readonly summary: StatsSummary }) {
  const { t } = useTranslation('stats')
  const { unattended, promiseMs } = summary
  const words = useBucketWords(ageBucketsMs)
  return (
    <section className="card" aria-labelledby="unattended">
      <h2 id="unattended">
        {t('summary.unattended')}
        <Definition name={t('summary.unattended')}>{t('summary.means.unattended')}</Definition>
      </h2>
      <BlockCsv name="unattended" title={t('summary.unattended')} />
      <p>
        {unattended.oldestMs === null ? (
          t('summary.noneUnattended')
        ) : (
          <Link to={unattended.total.href}>{t('summary.oldest', { time: durationText(unattended.oldestMs) })}</Link>
        )}
      </p>
      <Bars
        what={t('summary.wait')}
        promiseMs={promiseMs}
        bars={unattended.ages.map((age, i) => ({ ...age, says: words(i) }))}
      />
    </section>
  )
}

const shades = 5
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour)

/** The hour at which the table is scrolled to if it is wider than the screen. */
const firstHour = 8
const scrollToDaytime = (element: HTMLElement | null): void => {
  const hour = element?.querySelector<HTMLElement>(`th:nth-child(${firstHour + 2})`)
  const names = element?.querySelector<HTMLElement>('tbody th')
  if (element && hour && names) element.scrollLeft = hour.offsetLeft - names.offsetWidth
}

/** Shows when conversations begin, by weekday and hour: a table whose cells are coloured by their count. */
export function Heat({ summary }: { readonly summary: StatsSummary }) {
  const { t, i18n } = useTranslation('stats')
  const { heat, heatHref } = summary
  const dayNames = shortWeekdays(i18n.language as Language)
  const most = Math.max(0, ...heat.flat())
  const shadeOf = (count: number) => (count ? Math.ceil((shades * count) / most) : 0)
  const table = t('tableOf', { name: t('summary.heat') })
  return (
    <section className="card" aria-labelledby="heat">
      <h2 id="heat">
        {t('summary.heat')}
        <Definition name={t('summary.heat')}>{t('summary.means.heat')}</Definition>
      </h2>
      <BlockCsv name="heat" title={t('summary.heat')} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section ref={scrollToDaytime} className="table-scroll" tabIndex={0} aria-label={table}>
        <table className="stats-heat">
          <thead>
            <tr>
              <td />
              {hoursOfDay.map(hour => (
                <th scope="col" key={hour}>
                  {hour}
                </th>
              ))}
              <th scope="col" className="stats-heat-sum">
                {t('blocks.total')}
              </th>
            </tr>
          </thead>
          <tbody>
            {heat.map((hours, day) => {
              const dayName = dayNames[day] as string
              return (
                <tr key={dayName}>
                  <th scope="row">{dayName}</th>
                  {hours.map((count, hour) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the key
                    <td key={hour} data-shade={shadeOf(count)}>
                      {count ? (
                        <ChartLink
                          to={`${heatHref}&weekday=${day + 1}&hour=${hour}`}
                          tip={t('summary.cell', { day: dayName, hour, count })}
                        >
                          {count}
                        </ChartLink>
                      ) : (
                        <span className="sr-only">0</span>
                      )}
                    </td>
                  ))}
                  <td className="stats-heat-sum">
                    {new Intl.NumberFormat(i18n.language).format(hours.reduce((sum, count) => sum + count, 0))}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </section>
  )
}
