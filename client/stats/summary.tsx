import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { Language } from '#shared/kernel/language.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { durationText } from '#shared/stats/duration.ts'
import type { Alert } from '#shared/stats/summary.ts'
import { FirstResponses, Heat, Unattended } from './blocks.tsx'
import { SixFigures } from './figures.tsx'
import { Groups } from './groups.tsx'
import { filterIn, summaryQuery } from './queries.ts'
import { StatsSections } from './sections.tsx'
import './summary.css'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'

/** The alerts, with links to the conversations. */
function Alerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { t } = useTranslation('stats')
  if (!alerts.length) return null
  return (
    <section className="notice notice-warn stats-alerts" aria-labelledby="alerts">
      <h2 id="alerts">{t('summary.alertsTitle')}</h2>
      <ul>
        {alerts.map(({ kind, count, ms, name, href }) => (
          <li key={kind}>
            <Link to={href}>{t(`summary.alerts.${kind}`, { count, name, time: durationText(ms ?? 0) })}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** All figures of the range and the filters in the address: what needs attention, the six figures, then the rest. */
export function Summary({ showsCosts }: { readonly showsCosts: boolean }) {
  const { t, i18n } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const summary = useAnswer(summaryQuery(slug, filterIn(query)))
  const { from, to, timeZone, comparedWith, unknown, counting } = summary
  const day = (date: string) => shortDate(`${date}T12:00:00.000Z`, i18n.language as Language, 'UTC')
  return (
    <>
      {unknown.length ? (
        <p className="notice notice-warn" role="status">
          {t('summary.unknown', { what: unknown.map(name => t(`summary.filter.${name}`)).join(', ') })}
        </p>
      ) : null}
      {counting ? (
        <p className="notice" role="status">
          {t('summary.counting', {
            share: new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(counting.done),
          })}
        </p>
      ) : null}
      <Alerts alerts={summary.alerts} />
      <SixFigures summary={summary} />
      <p className="field-hint">
        {t('summary.covers', { from: day(from), to: day(to), zone: zoneCity(timeZone) })}{' '}
        {comparedWith
          ? t(summary.figures.attended.before ? 'summary.compared' : 'summary.notCompared', {
              from: day(comparedWith.from),
              to: day(comparedWith.to),
            })
          : null}
      </p>
      <StatsSections summary={summary} showsCosts={showsCosts} />
      <div className="stats-pair">
        <FirstResponses summary={summary} />
        <Unattended summary={summary} />
      </div>
      <Heat summary={summary} />
      <Groups summary={summary} kind="members" />
      <Groups summary={summary} kind="teams" />
      <Groups summary={summary} kind="tags" />
    </>
  )
}
