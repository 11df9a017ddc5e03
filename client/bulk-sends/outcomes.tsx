import { useTranslation } from 'react-i18next'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { figuresOfSend, sendFigures, wholeOf } from '#shared/bulk-sends/states.ts'
import { fewCases } from '#shared/stats/definitions.ts'
import { peopleOf, useFigure, useRecipientState } from './words.tsx'
import './outcomes.css'

/** Each recipient counts once, by their best outcome; best first. */
const partsOf = ({ counts }: Pick<BulkSend, 'counts'>) =>
  [
    { state: 'replied', count: counts.replied },
    { state: 'read', count: counts.read },
    { state: 'delivered', count: counts.delivered },
    { state: 'sent', count: counts.sent },
    { state: 'unconfirmed', count: counts.unconfirmed },
    { state: 'failed', count: counts.failed },
    { state: 'planned', count: counts.planned + counts.queued },
  ] as const

/** The outcomes as a bar. The text is beside it. */
export function OutcomeBar({ send }: { send: Pick<BulkSend, 'counts'> }) {
  let before = 0
  return (
    <svg
      className="outcome-bar"
      viewBox={`0 0 ${Math.max(1, peopleOf(send))} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {partsOf(send).map(({ state, count }) => {
        const x = before
        before += count
        return count ? <rect key={state} data-outcome={state} x={x} width={count} height="1" /> : null
      })}
    </svg>
  )
}

/** A figure as a percentage of its whole. Undefined if the figure has no whole, or the whole is zero or too small. */
export const useShare = (): ((
  figures: ReturnType<typeof figuresOfSend>,
  name: (typeof sendFigures)[number],
) => string | undefined) => {
  const { i18n } = useTranslation()
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  return (figures, name) => {
    const whole = wholeOf[name]
    return whole && figures[whole] >= fewCases ? percent.format(figures[name] / figures[whole]) : undefined
  }
}

/** The outcomes as a bar and as figures: each figure includes those after it. */
export function OutcomeChart({ send }: { send: Pick<BulkSend, 'counts' | 'state'> }) {
  const { t } = useTranslation('bulk-sends')
  const say = useRecipientState(send)
  const { counts } = send
  const figures = figuresOfSend(counts)
  const figure = useFigure()
  const share = useShare()
  const others = { unconfirmed: counts.unconfirmed, planned: counts.planned + counts.queued, omitted: counts.omitted }
  return (
    <figure className="outcomes">
      <OutcomeBar send={send} />
      <dl>
        {sendFigures.map(name => (
          <div key={name} data-outcome={name}>
            <dt>{t(`column.${name}`)}</dt>
            <dd>
              {figure(figures[name])} <small>{share(figures, name)}</small>
            </dd>
          </div>
        ))}
        {(['unconfirmed', 'planned', 'omitted'] as const)
          .filter(state => others[state] > 0)
          .map(state => (
            <div key={state} data-outcome={state}>
              <dt>{state === 'omitted' ? t('column.omitted') : say(state)}</dt>
              <dd>{figure(others[state])}</dd>
            </div>
          ))}
      </dl>
      <figcaption className="field-hint">{t('figuresSay')}</figcaption>
    </figure>
  )
}
