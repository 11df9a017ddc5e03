import { useTranslation } from 'react-i18next'
import { WaText } from '#client/templates/wa-text.tsx'
import type { SimulatedLine, Simulation } from '#shared/flows/testing/simulation.ts'
import { useMomentText } from './moment-text.ts'
import type { Play } from './use-play.ts'
import '#client/templates/preview.css'

interface LineProps {
  readonly line: SimulatedLine
  readonly at: string
  /** Its options can be tapped. */
  readonly isLive: boolean
  tap(optionId: string, title: string): void
}

function Line({ line, at, isLive, tap }: LineProps) {
  const { t } = useTranslation('flows')
  const isFlow = line.by === 'flow'
  return (
    <li className="flow-line" data-by={line.by}>
      <div className="wa-bubble wa-message">
        <span className="sr-only">{t(isFlow ? 'play.flowSays' : 'play.customerSays')}</span>
        <p className="wa-body">{line.text ? <WaText text={line.text} values={{}} /> : t('play.file')}</p>
        <p className="wa-time">{at}</p>
        {line.options.length ? (
          <ul className="wa-buttons" aria-label={line.listLabel || t('play.options')}>
            {line.options.map(({ id, title, description }) => (
              <li key={id}>
                <button type="button" disabled={!isLive} onClick={() => tap(id, title)}>
                  <span>{title}</span>
                  {description ? <small>{description}</small> : null}
                </button>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {line.isRead ? null : <small className="flow-line-unread">{t('play.unread')}</small>}
    </li>
  )
}

/** The messages of the trial so far. */
export function PlayChat({ play, answer }: { readonly play: Play; readonly answer: Simulation }) {
  const { t } = useTranslation('flows')
  const momentText = useMomentText(answer.from)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div className="flow-play-chat wa-phone" role="log" aria-label={t('play.chat')} tabIndex={0}>
      <ol>
        {answer.transcript.map((line, place) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said stays where it was said
            key={place}
            line={line}
            at={momentText(line.at)}
            isLive={!play.isWorking && !play.isFull}
            tap={(optionId, title) => {
              if (line.nodeId !== null) play.say({ kind: 'option', nodeId: line.nodeId, optionId, title })
            }}
          />
        ))}
      </ol>
      {answer.transcript.length ? null : <p className="flow-play-silent">{t('play.silent')}</p>}
    </div>
  )
}
