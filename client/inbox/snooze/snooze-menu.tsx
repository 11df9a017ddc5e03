import './snooze-menu.css'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { MomentInput } from '#client/ui/controls/moment-input.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { readTypedTime } from '#client/ui/text/typed-time.ts'
import { snoozeLimits } from '#shared/inbox/snooze.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, shortDate, timeOfWall, wallTime } from '#shared/kernel/time.ts'
import { answerWaits, snoozeChoices } from './choices.ts'
import { useBackText, useOrgZone } from './use-back-text.ts'

export type SnoozeBody = { readonly until: string } | { readonly ifNoAnswerWithinMs: number }

interface SnoozeMenuProps {
  readonly org: string
  /** The element at which it opens, and to which focus returns. */
  readonly anchor: HTMLElement
  /** The window of the only conversation closes at this time. Absent: several conversations. */
  readonly windowClosesAt?: string | null
  onSnooze(body: SnoozeBody): void
  onClose(): void
}

const dayMs = 86_400_000

/** Arrow keys move between the buttons; a digit presses the choice with that number. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  if (event.target instanceof HTMLInputElement) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.snooze-choice')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const numbered = /^[1-9]$/.test(event.key) ? buttons[Number(event.key) - 1] : undefined
  if (numbered) numbered.click()
  else if (step === undefined) return
  else buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + step) % buttons.length)?.focus()
  event.preventDefault()
}

/** Chooses when a conversation comes back. All times are those of the organization. */
export default function SnoozeMenu({ org, anchor, windowClosesAt, onSnooze, onClose }: SnoozeMenuProps) {
  const { t, i18n } = useTranslation('inbox')
  const id = useId()
  const { now } = useMoment()
  const timeZone = useOrgZone(org)
  const language = i18n.language as Language
  const backText = useBackText(org)
  const [isDated, setIsDated] = useState(false)
  const [wall, setWall] = useState(() => `${wallTime(now + dayMs, timeZone).slice(0, 10)}T09:00`)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const isOne = windowClosesAt !== undefined
  const isOpen = windowClosesAt && Date.parse(windowClosesAt) > now
  const choose = (body: SnoozeBody) => {
    onSnooze(body)
    onClose()
  }
  const choices = snoozeChoices(now, timeZone)
  const understood = timeOfWall(wall, timeZone)
  const readTyped = (text: string) => {
    setTyped(text)
    setFault(undefined)
    const read = readTypedTime(text, now, timeZone)
    if (read) setWall(read)
  }
  const isUnread = typed.trim() !== '' && !readTypedTime(typed, now, timeZone)
  const chooseDate = () => {
    if (isUnread) return setFault(t('snooze.unread'))
    const at = timeOfWall(wall, timeZone)
    const ahead = at === undefined ? 0 : Date.parse(at) - now
    if (at === undefined || ahead <= 0) return setFault(t('snooze.past'))
    if (ahead > snoozeLimits.days * dayMs) return setFault(t('snooze.far', { days: snoozeLimits.days }))
    choose({ until: at })
  }
  return (
    <Popover
      label={t('snooze.label')}
      anchor={anchor}
      place="below-end"
      className="snooze-menu"
      isSheet
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside */}
      <div ref={box} className="column" onKeyDown={walk}>
        <h2 className="snooze-title">{t('snooze.label')}</h2>
        {isOne && isOpen ? (
          <p className="snooze-window">
            <Icon name="clock" />
            <span>{t('snooze.windowCloses', { when: backText(windowClosesAt) })}</span>
          </p>
        ) : null}
        <ul>
          {choices.map(({ name, at }, i) => (
            <li key={name}>
              <button
                type="button"
                className="snooze-choice line"
                // biome-ignore lint/a11y/noAutofocus: a menu begins at its first choice
                autoFocus={i === 0}
                onClick={() => choose({ until: at })}
              >
                <Icon name="clock" />
                <span>{t(`snooze.choice.${name}`)}</span>
                <small className="push">
                  {name === 'monday' ? `${shortDate(at, language, timeZone)} · ` : null}
                  {clockTime(at, timeZone)}
                </small>
                <kbd>{i + 1}</kbd>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              className="snooze-choice line"
              aria-expanded={isDated}
              aria-controls={id}
              onClick={() => setIsDated(true)}
            >
              <Icon name="calendar" />
              <span>{t('snooze.choice.date')}</span>
              <kbd className="push">{choices.length + 1}</kbd>
            </button>
          </li>
        </ul>
        <form id={id} hidden={!isDated} className="snooze-date" action={chooseDate} noValidate>
          {isDated ? (
            <input
              className="snooze-typed"
              dir="auto"
              aria-label={t('snooze.typed')}
              placeholder={t('snooze.typed')}
              // biome-ignore lint/a11y/noAutofocus: the button that shows it asks for a date
              autoFocus
              autoComplete="off"
              maxLength={60}
              value={typed}
              aria-invalid={fault !== undefined && isUnread}
              onChange={({ target }) => readTyped(target.value)}
            />
          ) : null}
          {isDated ? (
            <MomentInput
              aria-label={t('snooze.day')}
              label={t('snooze.day')}
              timeZone={timeZone}
              min={wallTime(now, timeZone)}
              max={wallTime(now + snoozeLimits.days * dayMs, timeZone)}
              value={wall}
              aria-invalid={fault !== undefined && !isUnread}
              onChange={next => {
                setTyped('')
                setWall(next)
                setFault(undefined)
              }}
            />
          ) : null}
          <button type="submit" className="button button-primary">
            {t('snooze.save')}
          </button>
          {fault ? (
            <Fault>{fault}</Fault>
          ) : isDated && typed && !isUnread && understood ? (
            <p className="snooze-read small" role="status">
              {t('snooze.back', { when: backText(understood) })}
            </p>
          ) : null}
        </form>
        {isOne ? (
          <fieldset className="snooze-wait">
            <legend>{t('snooze.ifNoAnswer')}</legend>
            <div className="wrap">
              {answerWaits.map(({ name, count, ms }) => (
                <button
                  key={ms}
                  type="button"
                  className="snooze-choice snooze-pill"
                  onClick={() => choose({ ifNoAnswerWithinMs: ms })}
                >
                  {new Intl.NumberFormat(language, {
                    style: 'unit',
                    unit: name === 'hours' ? 'hour' : 'day',
                    unitDisplay: 'long',
                  }).format(count)}
                </button>
              ))}
            </div>
          </fieldset>
        ) : null}
        <p className="snooze-note fine">{t('snooze.note')}</p>
      </div>
    </Popover>
  )
}
