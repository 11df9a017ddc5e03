import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Language } from '#shared/kernel/language.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { Spark } from './spark.tsx'

/** A figure by day. */
export interface Daily {
  readonly days: readonly string[]
  /** Null: a day without cases. */
  readonly values: readonly (number | null)[]
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

export function DailySpark({ title, daily }: { readonly title: string; readonly daily: Daily }) {
  const { t, i18n } = useTranslation('stats')
  const { days, values, format } = daily
  return (
    <Spark
      name={title}
      values={values}
      says={i =>
        `${dayText(days[i] as string, i18n.language)}: ${values[i] == null ? t('summary.noCasesOfDay') : format(values[i])}`
      }
      saysAll={(least, most) => t('summary.spark', { least: format(least), most: format(most) })}
    />
  )
}

type DailyName = 'attended' | 'firstResponse' | 'customerWait' | 'resolution' | 'containment'
const columns: readonly DailyName[] = ['attended', 'firstResponse', 'customerWait', 'resolution', 'containment']

function Cell({ daily: { days, values, format, href }, i }: { readonly daily: Daily; readonly i: number }) {
  const value = values[i]
  if (value == null) return '—'
  return value ? <Link to={ofDay(href, days[i] as string)}>{format(value)}</Link> : format(value)
}

/** The table behind the sparks, the newest day first. It is drawn when somebody opens it: a year has many rows. */
export function DayTable({ daily }: { readonly daily: { readonly [N in DailyName]: Daily } }) {
  const { t, i18n } = useTranslation('stats')
  const [isOpen, setOpen] = useState(false)
  const { days } = daily.attended
  if (days.length < 2) return null
  return (
    <details className="stats-more stats-by-day" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
    </details>
  )
}
