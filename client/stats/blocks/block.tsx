import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import type { BlockName } from '#shared/stats/blocks.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { CsvButton } from '../export/block-csv.tsx'
import { Definition } from '../figures.tsx'
import { rangeIn } from './queries.ts'
import './blocks.css'

interface BlockCardProps {
  readonly name: BlockName
  /** The count in one sentence. */
  readonly says: string
  /** Nothing to export. */
  readonly isEmpty: boolean
  readonly children: ReactNode
  readonly more?: ReactNode
}

/** The frame of a block: its name with what it means, one sentence, its table and its report. */
export function BlockCard({ name, says, isEmpty, children, more }: BlockCardProps) {
  const { t } = useTranslation('stats')
  const api = useApi()
  const [query] = useSearchParams()
  const id = `block-${name}`
  const title = t(`blocks.${name}.title`)
  return (
    <section className="card stats-block" aria-labelledby={id}>
      <h2 id={id}>
        {title}
        <Definition name={title}>{t(`blocks.${name}.means`)}</Definition>
      </h2>
      <p>{says}</p>
      {children}
      {more ? <div className="card-buttons">{more}</div> : null}
      {isEmpty ? null : (
        <CsvButton
          title={title}
          file={t(`blocks.${name}.file`)}
          ask={async after =>
            name === 'cost'
              ? api.stats.exportCostBlock({ query: { ...rangeIn(query), ...(after && { after }) } })
              : api.stats.exportBlock({ params: { name }, query: rangeIn(query) })
          }
        />
      )}
    </section>
  )
}

interface BlockTableProps {
  readonly name: BlockName
  readonly columns: readonly string[]
  /** The kind of thing that a row describes. */
  readonly of: string
  readonly children: ReactNode
}

export function BlockTable({ name, columns, of, children }: BlockTableProps) {
  const { t } = useTranslation('stats')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={t('tableOf', { name: t(`blocks.${name}.title`) })}>
      <table className="table stats-groups">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {columns.map(column => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </section>
  )
}

interface CountCellProps {
  readonly label: string
  readonly count: number
  /** Null: there is no page of it. */
  readonly href?: string | null
  /** The whole of which it is a part. Absent: no share is shown. */
  readonly of?: number | undefined
  /** Below it. */
  readonly below?: string | undefined
}

/** A count, and what part of the whole it is unless there are too few cases. */
export function CountCell({ label, count, href, of, below }: CountCellProps) {
  const { i18n } = useTranslation('stats')
  const number = new Intl.NumberFormat(i18n.language)
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const says = number.format(count)
  return (
    <td data-label={label}>
      {href && count ? <Link to={href}>{says}</Link> : says}
      {of !== undefined && of >= fewCases ? <small className="stats-share">{percent.format(count / of)}</small> : null}
      {below ? <span className="field-hint">{below}</span> : null}
    </td>
  )
}
