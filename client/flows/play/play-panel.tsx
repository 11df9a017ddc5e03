import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { Mark } from '#client/flows/canvas/mark.tsx'
import { StepTrail } from '#client/flows/canvas/step-trail.tsx'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { reasonText } from '#client/flows/runs/run-words.ts'
import { WaText } from '#client/templates/wa-text.tsx'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { SimulatedLine, Simulation } from '#shared/flows/simulation.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { clockTime, dayTitle, wallTime } from '#shared/kernel/time.ts'
import type { Play } from './use-play.ts'
import '#client/templates/preview.css'
import './play.css'

const minuteMs = 60_000
/** What may pass at a press. */
const leaps = [
  ['minutes', 5, 5 * minuteMs],
  ['hours', 2, 120 * minuteMs],
  ['days', 1, 1440 * minuteMs],
] as const

/** `14:05`, with its day when that is another than the one it began on. */
const useMomentText = (from: string | undefined) => {
  const { i18n } = useTranslation('flows')
  const { timeZone } = useFacts()
  const dayOf = (iso: string) => wallTime(Date.parse(iso), timeZone).slice(0, 10)
  return (at: string) => {
    const time = clockTime(at, timeZone)
    if (from === undefined || dayOf(from) === dayOf(at)) return time
    return `${dayTitle(at, Date.parse(at), isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}, ${time}`
  }
}

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

function Chat({ play, answer }: { readonly play: Play; readonly answer: Simulation }) {
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

/** What it does now, and until when. */
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

function Clock({ play, answer }: { readonly play: Play; readonly answer: Simulation }) {
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

function Composer({ play, isOver }: { readonly play: Play; readonly isOver: boolean }) {
  const { t } = useTranslation('flows')
  const id = useId()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isStill = play.isFull || isOver
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim() || play.isWorking || isStill) return
    play.say({ kind: 'text', text })
    setText('')
  }
  return (
    <form className="flow-play-composer line" onSubmit={send}>
      <label className="sr-only" htmlFor={id}>
        {t('play.write')}
      </label>
      <input
        id={id}
        ref={field}
        value={text}
        placeholder={t('play.write')}
        maxLength={textMaxChars}
        autoComplete="off"
        disabled={isStill}
        onChange={({ target }) => setText(target.value)}
      />
      <button
        type="button"
        className="icon-button"
        disabled={isStill || play.isWorking}
        aria-label={t('play.sendFile')}
        data-tip={t('play.sendFile')}
        onClick={() => play.say({ kind: 'file' })}
      >
        <Icon name="clip" />
      </button>
      <button
        type="submit"
        className="icon-button"
        disabled={isStill}
        aria-label={t('play.send')}
        data-tip={t('play.send')}
      >
        <Icon name="send" />
      </button>
    </form>
  )
}

/** Whom it is tried for: what conditions and texts look at. */
function CustomerFields({ play }: { readonly play: Play }) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const hoursId = useId()
  const { customer, setCustomer } = play
  const [name, setName] = useState(customer.name)
  const rename = () => {
    if (name !== customer.name) setCustomer({ ...customer, name })
  }
  return (
    <details>
      <summary>{t('play.customer')}</summary>
      <Field
        label={t('play.name')}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
        onBlur={rename}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !isComposing(nativeEvent)) rename()
        }}
      />
      <div className="field">
        <label htmlFor={hoursId}>{t('play.hours')}</label>
        <select
          id={hoursId}
          value={customer.hours}
          onChange={({ target }) => setCustomer({ ...customer, hours: target.value as typeof customer.hours })}
        >
          {(['real', 'inside', 'outside'] as const).map(one => (
            <option key={one} value={one}>
              {t(`play.hoursAre.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {names.tags.size ? (
        <fieldset className="flow-play-tags">
          <legend>{t('play.tags')}</legend>
          {[...names.tags].map(([id, label]) => (
            <label key={id} className="flow-check">
              <input
                type="checkbox"
                checked={customer.tagIds.includes(id)}
                disabled={customer.tagIds.length >= 30 && !customer.tagIds.includes(id)}
                onChange={({ target }) => {
                  const others = customer.tagIds.filter(one => one !== id)
                  setCustomer({ ...customer, tagIds: target.checked ? [...others, id] : others })
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </details>
  )
}

function Inside({ answer, graph }: { readonly answer: Simulation; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { reveal } = useEditorActions()
  const { names } = useEditorFacts()
  const variables = Object.entries(answer.variables)
  const tags = answer.tagIds.flatMap(id => names.tags.get(id) ?? [])
  return (
    <>
      <details open>
        <summary>{t('play.variables')}</summary>
        {variables.length || tags.length ? (
          <dl className="flow-play-variables stack-s">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <bdi>{name}</bdi>
                </dt>
                <dd>{value || t('play.empty')}</dd>
              </div>
            ))}
            {tags.length ? (
              <div>
                <dt>{t('play.tags')}</dt>
                <dd>{tags.join(', ')}</dd>
              </div>
            ) : null}
          </dl>
        ) : (
          <p className="field-hint">{t('play.noVariables')}</p>
        )}
      </details>
      <details>
        <summary>{t('play.path', { count: answer.steps.length })}</summary>
        <StepTrail steps={answer.steps} graph={graph} names={names} onStep={reveal} />
      </details>
    </>
  )
}

/** So many versions back can be tried. */
const mostVersions = 20

/** What is drawn, or what was published: the same conversation on either. */
function VersionField({ play, published }: { readonly play: Play; readonly published: number }) {
  const { t } = useTranslation('flows')
  const id = useId()
  const versions = Array.from({ length: Math.min(published, mostVersions) }, (_, i) => published - i)
  return (
    <div className="field">
      <label htmlFor={id}>{t('play.version')}</label>
      <select
        id={id}
        value={play.version ?? ''}
        onChange={({ target }) => play.setVersion(target.value === '' ? null : Number(target.value))}
      >
        <option value="">{t('play.draft')}</option>
        {versions.map(version => (
          <option key={version} value={version}>
            {t('versions.number', { version })}
          </option>
        ))}
      </select>
    </div>
  )
}

interface PlayPanelProps {
  readonly play: Play
  /** The last version; null: there is none. */
  readonly published: number | null
  readonly graph: FlowGraph
  onClose(): void
}

/** A conversation with the flow as it is drawn, on the engine that customers get. Nothing is sent. */
export default function PlayPanel({ play, published, graph, onClose }: PlayPanelProps) {
  const { t } = useTranslation('flows')
  const { answer, failure } = play
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <aside className="flow-panel flow-play" aria-label={t('play.title')} onKeyDown={onKeyDown}>
      <div className="flow-panel-head">
        <Mark name="play" />
        <h2 className="cut">{t('play.title')}</h2>
        <button
          type="button"
          className="icon-button"
          disabled={!play.canStepBack || play.isWorking}
          aria-label={t('play.stepBack')}
          data-tip={t('play.stepBack')}
          onClick={play.stepBack}
        >
          <Mark name="undo" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('play.restart')}
          data-tip={t('play.restart')}
          onClick={play.restart}
        >
          <Mark name="again" />
        </button>
        <button type="button" className="icon-button" aria-label={t('closePanel')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {failure ? (
        <div className="flow-play-failure">
          <Fault>{failure}</Fault>
        </div>
      ) : null}
      {answer ? (
        <>
          <Chat play={play} answer={answer} />
          <Clock play={play} answer={answer} />
          <Composer play={play} isOver={answer.state === 'tooLong'} />
          {play.isFull ? <p className="flow-panel-note">{t('play.full')}</p> : null}
        </>
      ) : failure ? null : (
        <p className="flow-panel-note" role="status">
          {t('play.starting')}
        </p>
      )}
      <div className="flow-play-inside">
        {answer ? <Inside answer={answer} graph={graph} /> : null}
        {published === null ? null : <VersionField play={play} published={published} />}
        <CustomerFields play={play} />
        <p className="field-hint">{t('play.hint')}</p>
      </div>
    </aside>
  )
}
