import { useTranslation } from 'react-i18next'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
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

/** The outcomes as a bar, in numbers, and how many were reached. */
export function OutcomeChart({ send }: { send: Pick<BulkSend, 'counts' | 'state'> }) {
  const { t, i18n } = useTranslation('bulk-sends')
  const say = useRecipientState(send)
  const people = peopleOf(send)
  const { counts } = send
  const read = counts.read + counts.replied
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 })
  const figure = useFigure()
  return (
    <figure className="outcomes">
      <OutcomeBar send={send} />
      <dl>
        {partsOf(send)
          .filter(({ state, count }) => state !== 'unconfirmed' || count > 0)
          .map(({ state, count }) => (
            <div key={state} data-outcome={state}>
              <dt>{say(state)}</dt>
              <dd>
                {figure(count)} {people ? <small>{percent.format(count / people)}</small> : null}
              </dd>
            </div>
          ))}
        <div data-outcome="omitted">
          <dt>{say('omitted')}</dt>
          <dd>{figure(counts.omitted)}</dd>
        </div>
      </dl>
      <figcaption className="field-hint">
        {t('reached', {
          delivered: figure(counts.delivered + read),
          read: figure(read),
          replied: figure(counts.replied),
        })}
      </figcaption>
    </figure>
  )
}
