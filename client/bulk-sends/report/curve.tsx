import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDetails } from '#client/ui/page/use-details.ts'
import { useMoment } from '#client/ui/text/moment.tsx'
import { type CurveLine, type CurvePoint, curveLines, endOfMost } from '#shared/bulk-sends/curve.ts'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, shortDate } from '#shared/kernel/time.ts'
import { peopleOf } from '../words.tsx'
import './curve.css'

const width = 600
const height = 140
const margin = 4

/** Times of one day are clock times; longer sends have the date, too. */
function useTimeOf(points: readonly CurvePoint[]) {
  const { i18n } = useTranslation()
  const { timeZone } = useMoment()
  const dayOf = (at: string) => shortDate(at, i18n.language as Language, timeZone)
  const isOneDay = new Set(points.map(({ at }) => dayOf(at))).size < 2
  return (at: string) => (isOneDay ? clockTime(at, timeZone) : `${dayOf(at)}, ${clockTime(at, timeZone)}`)
}

/** Fewer recipients than this make steps of single messages; the figures say as much. */
const leastRecipients = 20

/** Draws how many messages were sent, delivered, read, answered and failed over time. Empty for small sends and of one moment. */
export function DeliveryCurve({ send }: { send: BulkSendReport }) {
  const { curve, startedAt, createdAt } = send
  const { t, i18n } = useTranslation('bulk-sends')
  const begins = { at: startedAt ?? createdAt, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }
  const all = [begins, ...curve]
  const [isWhole, setWhole] = useState(false)
  const end = endOfMost(all)
  const isShort = end < all.length - 1
  const points = isWhole ? all : all.slice(0, end + 1)
  const timeOf = useTimeOf(points)
  const timeOfAll = useTimeOf(all)
  const [chosen, setChosen] = useState<number>()
  const { isOpen, details } = useDetails()
  if (curve.length < 2 || peopleOf(send) < leastRecipients) return null
  const figure = new Intl.NumberFormat(i18n.language)
  const last = points.length - 1
  const times = points.map(({ at }) => Date.parse(at))
  const first = times[0] as number
  const span = Math.max(1, (times[last] as number) - first)
  const most = Math.max(1, ...points.flatMap(point => curveLines.map(line => point[line])))
  const x = (i: number) => margin + (((times[i] as number) - first) / span) * (width - 2 * margin)
  const y = (value: number) => height - margin - (value / most) * (height - 2 * margin)
  const pathOf = (line: CurveLine) =>
    points.map((point, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(point[line]).toFixed(1)}`).join('')
  const says = (i: number) => {
    const point = points[i] as CurvePoint
    return `${timeOf(point.at)} · ${curveLines.map(line => `${t(`curve.${line}`)}: ${figure.format(point[line])}`).join(' · ')}`
  }
  const at = chosen ?? last
  const move = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect()
    const wanted = ((clientX - box.left) / box.width) * width
    const near = points.map((_, i) => Math.abs(x(i) - wanted))
    setChosen(near.indexOf(Math.min(...near)))
  }
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: (chosen ?? -1) + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setChosen(Math.min(last, Math.max(0, to)))
  }
  const leave = () => setChosen(undefined)
  return (
    <figure className="bulk-curve">
      <figcaption className="line wrap bulk-curve-legend">
        <b className="grow">{t('curve.title')}</b>
        {curveLines.map(line => (
          <span key={line} className="line small" data-outcome={line}>
            <i aria-hidden="true" />
            {t(`curve.${line}`)}
          </span>
        ))}
      </figcaption>
      <div className="bulk-curve-board">
        <p className="fine bulk-curve-scale" aria-hidden="true">
          <span>{figure.format(most)}</span>
          {most % 2 ? null : <span>{figure.format(most / 2)}</span>}
          <span>0</span>
        </p>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${t('curve.title')}. ${says(at)}`}
          data-tip={says(at)}
          data-touch=""
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it has the focus only so that its tooltip opens
          tabIndex={0}
          suppressHydrationWarning
          onPointerMove={move}
          onPointerDown={move}
          // A finger leaves with every tap.
          onPointerLeave={({ pointerType }) => pointerType === 'touch' || leave()}
          onKeyDown={press}
          onBlur={leave}
        >
          {chosen === undefined ? null : <line className="bulk-curve-at" x1={x(at)} x2={x(at)} y1="0" y2={height} />}
          {curveLines.map(line => (
            <path key={line} data-outcome={line} d={pathOf(line)} />
          ))}
        </svg>
        <p className="line fine bulk-curve-ends">
          <time className="grow" dateTime={begins.at} suppressHydrationWarning>
            {timeOf(begins.at)}
          </time>
          <time dateTime={points[last]?.at} suppressHydrationWarning>
            {timeOf((points[last] as CurvePoint).at)}
          </time>
        </p>
      </div>
      {isShort ? (
        <p className="line wrap small bulk-curve-range">
          <span suppressHydrationWarning>{t('curve.mostBy', { time: timeOfAll(all[end]?.at ?? begins.at) })}</span>
          <button
            type="button"
            className="link"
            onClick={() => {
              setChosen(undefined)
              setWhole(!isWhole)
            }}
          >
            {t(isWhole ? 'curve.showMost' : 'curve.showAll')}
          </button>
        </p>
      ) : null}
      <details {...details}>
        <summary>{t('curve.table')}</summary>
        {isOpen ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
          <section className="bulk-table box bulk-curve-table" aria-label={t('curve.title')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('curve.until')}</th>
                  {curveLines.map(line => (
                    <th key={line} scope="col">
                      {t(`curve.${line}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {curve.toReversed().map(point => (
                  <tr key={point.at}>
                    <th scope="row">{timeOfAll(point.at)}</th>
                    {curveLines.map(line => (
                      <td key={line}>{figure.format(point[line])}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ) : null}
      </details>
    </figure>
  )
}
