import { useTranslation } from 'react-i18next'
import type { Simulation } from '#shared/flows/testing/simulation.ts'
import { Mark } from '../canvas/mark.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'
import { reasonText } from '../runs/run-words.ts'
import { useMomentText } from './moment-text.ts'
import type { Play } from './use-play.ts'

const minuteMs = 60_000
/** The durations by which a button moves the clock. */
const leaps = [
  ['minutes', 5, 5 * minuteMs],
  ['hours', 2, 120 * minuteMs],
  ['days', 1, 1440 * minuteMs],
] as const

/** Returns the current state as text, and how long it lasts. */
const useStateText = (answer: Simulation): string => {
  const { t } = useTranslation('flows')
  const momentText = useMomentText(answer.from)
  const { names } = useEditorFacts()
  const { state, reason, dueAt, handoff } = answer
  if (state === 'waitingAnswer' || state === 'waitingTime' || state === 'parked')
    return t(`play.state.${state}`, { time: dueAt ? momentText(dueAt) : '' })
  if (state !== 'handedOff') return t(`play.state.${state}`)
  const to = handoff?.memberId
    ? names.members.get(handoff.memberId)
    : handoff?.teamId
      ? names.teams.get(handoff.teamId)
      : undefined
  if (reason && reason !== 'asked') return t('play.handedOffWhy', { why: reasonText(t, reason) })
  return to ? t('play.handedOffTo', { name: to }) : t('play.state.handedOff')
}

/** Shows the state of the conversation, and buttons that let time pass. */
export function PlayClock({ play, answer }: { readonly play: Play; readonly answer: Simulation }) {
  const { t } = useTranslation('flows')
  const momentText = useMomentText(answer.from)
  const { dueAt, now, state, handoff } = answer
  const isOver = dueAt === null
  const left = dueAt === null ? 0 : Math.max(1, Date.parse(dueAt) - Date.parse(now))
  const isStill = play.isWorking || play.isFull
  return (
    <div className="flow-play-state stack-m">
      <p role="status">
        <b>{useStateText(answer)}</b>
        {handoff?.note ? <span>{t('play.note', { note: handoff.note })}</span> : null}
        {answer.isWindowOpen ? null : <span>{t('play.windowClosed')}</span>}
      </p>
      {isOver ? (
        <button type="button" className="button" onClick={play.restart}>
          <Mark name="again" />
          {t('play.restart')}
        </button>
      ) : (
        <fieldset className="flow-play-clock wrap">
          <legend>{t('play.clock', { time: momentText(now) })}</legend>
          {leaps.map(([unit, count, ms]) => (
            <button key={unit} type="button" disabled={isStill} onClick={() => play.say({ kind: 'advance', ms })}>
              {t('play.pass', { time: t(`duration.${unit}`, { count }) })}
            </button>
          ))}
          <button type="button" disabled={isStill} onClick={() => play.say({ kind: 'advance', ms: left })}>
            {t(state === 'waitingTime' ? 'play.skip' : 'play.noAnswer')}
          </button>
        </fieldset>
      )}
    </div>
  )
}
