import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { fewCases } from '#shared/stats/definitions.ts'
import { durationText } from '#shared/stats/duration.ts'
import type { GroupAnswer, StatsSummary } from '#shared/stats/summary.ts'
import { BlockCsv } from './export/block-csv.tsx'
import { FewCases } from './few-cases.tsx'
import { Definition } from './figures.tsx'

type Kind = 'members' | 'teams' | 'tags'

interface RowProps {
  readonly group: GroupAnswer
  readonly kind: Kind
  readonly hasPromise: boolean
}

function Row({ group, kind, hasPromise }: RowProps) {
  const { t, i18n } = useTranslation('stats')
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const { id, name, needsPerson, answered, openNow, inPromise, inPromiseHref, firstResponse, resolution } = group
  const counted = ({ count, href }: GroupAnswer['openNow']) =>
    count ? <Link to={href}>{number.format(count)}</Link> : 0
  const median = ({ count, medianMs, href }: GroupAnswer['resolution']) => {
    if (medianMs === null) return '—'
    return count < fewCases ? <FewCases count={count} href={href} /> : <Link to={href}>{durationText(medianMs)}</Link>
  }
  /** The share answered in time; of few cases how many were. */
  const inTime = () => {
    if (!hasPromise || !answered.count) return '—'
    const share =
      answered.count < fewCases
        ? t('summary.ofBots', { ended: inPromise, all: answered.count })
        : percent.format(inPromise / answered.count)
    return inPromise ? <Link to={inPromiseHref}>{share}</Link> : share
  }
  return (
    <tr>
      <th scope="row" dir="auto">
        {name ?? t(id === null ? `summary.nobody.${kind}` : 'summary.gone')}
      </th>
      <td data-label={t('summary.column.needsPerson')}>{counted(needsPerson)}</td>
      <td data-label={t('summary.column.answered')}>{counted(answered)}</td>
      <td data-label={t('summary.column.firstResponse')}>{median(firstResponse)}</td>
      <td data-label={t('summary.column.inPromise')}>{inTime()}</td>
      <td data-label={t('summary.column.resolution')}>{median(resolution)}</td>
      <td data-label={t('summary.column.openNow')}>{counted(openNow)}</td>
    </tr>
  )
}

const filterOf = { members: 'member', teams: 'team', tags: 'tag' } as const
const columns = ['needsPerson', 'answered', 'firstResponse', 'inPromise', 'resolution', 'openNow'] as const

/** The figures of each member, team or tag. */
export function Groups({ summary, kind }: { readonly summary: StatsSummary; readonly kind: Kind }) {
  const { t } = useTranslation('stats')
  const groups = summary[kind]
  // Where nothing has a team or a tag, a table of all of it repeats the figures above.
  if (kind === 'members' ? !groups.length : groups.every(({ id }) => id === null)) return null
  const hasFew = groups.some(({ firstResponse }) => firstResponse.count > 0 && firstResponse.count < fewCases)
  return (
    <section className="card" aria-labelledby={`by-${kind}`}>
      <h2 id={`by-${kind}`}>
        {t(`summary.by.${kind}`)}
        <Definition name={t(`summary.by.${kind}`)}>{t(`summary.means.${kind}`)}</Definition>
      </h2>
      <BlockCsv name={kind} title={t(`summary.by.${kind}`)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={t('tableOf', { name: t(`summary.by.${kind}`) })}>
        <table className="table stats-groups">
          <thead>
            <tr>
              <th scope="col">{t(`summary.filter.${filterOf[kind]}`)}</th>
              {columns.map(name => (
                <th scope="col" key={name}>
                  {t(`summary.column.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(group => (
              <Row key={group.id ?? ''} group={group} kind={kind} hasPromise={summary.promiseMs !== null} />
            ))}
          </tbody>
        </table>
      </section>
      {hasFew ? <p className="field-hint">{t('summary.fewNote', { most: fewCases })}</p> : null}
    </section>
  )
}
