import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useDetails } from '#client/ui/page/use-details.ts'
import type { Language } from '#shared/kernel/language.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { FewCases } from './few-cases.tsx'
import { Spark } from './spark.tsx'

/** A figure by day. */
export interface Daily {
  readonly days: readonly string[]
  /** Null: a day without cases. */
  readonly values: readonly (number | null)[]
  /** Cases of each day that a value says too little of if they are few. Absent: the value is a count. */
  readonly cases?: readonly number[]
  format(value: number): string
  /** The list of all days. */
  readonly href: string
}

const dayText = (day: string, language: string) => shortDate(`${day}T12:00:00.000Z`, language as Language, 'UTC')

/** The address of a list, of one day only. */
const ofDay = (href: string, day: string): string => {
  const [page, query] = href.split('?')
  const parts = new URLSearchParams(query)
  for (const name of ['from', 'to']) parts.set(name, day)
  return `${page}?${parts}`
}

/** Returns the tooltip of a day: its value, or the number of its cases if they are few. */
function useDayText() {
  const { t } = useTranslation('stats')
  return ({ values, cases, format }: Daily, i: number): string | undefined => {
    const value = values[i]
    if (value == null) return undefined
    const count = cases?.[i] ?? fewCases
    return count < fewCases ? t('summary.few', { count }) : format(value)
  }
}

export function DailySpark({ title, daily }: { readonly title: string; readonly daily: Daily }) {
  const { t, i18n } = useTranslation('stats')
  const { days, values, format } = daily
  const textOf = useDayText()
  return (
    <Spark
      name={title}
      values={values}
      says={i => `${dayText(days[i] as string, i18n.language)}: ${textOf(daily, i) ?? t('summary.noCasesOfDay')}`}
      saysAll={(least, most) => t('summary.spark', { least: format(least), most: format(most) })}
    />
  )
}

type DailyName = 'attended' | 'firstResponse' | 'customerWait' | 'resolution' | 'containment'
const columns: readonly DailyName[] = ['attended', 'firstResponse', 'customerWait', 'resolution', 'containment']

function Cell({ daily, i }: { readonly daily: Daily; readonly i: number }) {
  const text = useDayText()(daily, i)
  if (text === undefined) return '—'
  const count = daily.cases?.[i] ?? fewCases
  if (count < fewCases) return <FewCases count={count} href={ofDay(daily.href, daily.days[i] as string)} />
  const isNone = daily.cases === undefined && !daily.values[i]
  return isNone ? text : <Link to={ofDay(daily.href, daily.days[i] as string)}>{text}</Link>
}

/** The table behind the sparks, the newest day first. It is drawn when somebody opens it: a year has many rows. */
export function DayTable({ daily }: { readonly daily: { readonly [N in DailyName]: Daily } }) {
  const { t, i18n } = useTranslation('stats')
  const { isOpen, details } = useDetails()
  const { days } = daily.attended
  if (days.length < 2) return null
  return (
    <details className="stats-more stats-by-day" {...details}>
      <summary>{t('summary.byDay')}</summary>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <section className="table-scroll" tabIndex={0} aria-label={t('summary.byDay')}>
          <table className="table stats-groups">
            <thead>
              <tr>
                <th scope="col">{t('blocks.column.day')}</th>
                {columns.map(name => (
                  <th scope="col" key={name}>
                    {t(`summary.figure.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days
                .map((day, i) => (
                  <tr key={day}>
                    <th scope="row">{dayText(day, i18n.language)}</th>
                    {columns.map(name => (
                      <td key={name} data-label={t(`summary.figure.${name}`)}>
                        <Cell daily={daily[name]} i={i} />
                      </td>
                    ))}
                  </tr>
                ))
                .reverse()}
            </tbody>
          </table>
        </section>
      ) : null}
      {isOpen ? <p className="field-hint">{t('summary.fewNote', { most: fewCases })}</p> : null}
    </details>
  )
}
