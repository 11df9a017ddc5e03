import { type MouseEvent, memo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayWord, startOfMinute, timeLeft, weekdayOf } from '#shared/kernel/time.ts'
import type { InboxT } from '../words.ts'

const closingSoonMs = 2 * 60 * 60 * 1000

interface ToolProps {
  readonly label: string
  readonly icon: IconName
  /** Shown only where there is space; it is also elsewhere. */
  readonly isRoomy?: boolean
  /** Keyboard shortcut, when no field has the focus. */
  readonly pressedBy?: string
  onClick(event: MouseEvent<HTMLButtonElement>): void
}

export const Tool = ({ label, icon, isRoomy, pressedBy, onClick }: ToolProps) => (
  <button
    type="button"
    className={isRoomy ? 'icon-button composer-roomy' : 'icon-button'}
    aria-label={label}
    data-tip={label}
    data-key={pressedBy}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)

/** With `field-sizing`, the browser resizes the field without measuring. */
const growsByItself = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content')

/** Grows with its text up to eight lines, then scrolls. */
export const fit = (field: HTMLTextAreaElement) => {
  if (growsByItself) return
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, 180)}px`
}

interface WindowProps {
  conversation: Conversation
  now: number
  timeZone: string
  t: InboxT
}

/** After an advertisement: how long messages are free of charge. */
export const FreeWord = ({ conversation: { freeUntil }, now, timeZone, t }: WindowProps) => {
  const { i18n } = useTranslation()
  if (freeUntil === undefined || Date.parse(freeUntil) <= now) return null
  const day = weekdayOf(freeUntil, i18n.language as Language, timeZone)
  return (
    <span className="free-word" title={t('window.freeHint')}>
      {t('window.free', { day, time: clockTime(freeUntil, timeZone) })}
    </span>
  )
}

const WindowLine = ({ conversation, now, timeZone, t }: WindowProps) => {
  if (!conversation.windowClosesAt) return null
  const left = Date.parse(conversation.windowClosesAt) - startOfMinute(now)
  const time = clockTime(conversation.windowClosesAt, timeZone)
  const isToday = dayWord(conversation.windowClosesAt, now, timeZone) === 'today'
  return (
    <span className={left < closingSoonMs ? 'window-line window-soon' : 'window-line'}>
      <Icon name="clock" />
      <span className="window-long">
        {isToday ? t('window.until', { when: time }) : t('window.tomorrow', { time })}
      </span>
      <span className="window-short">{t(isToday ? 'window.todayShort' : 'window.tomorrowShort', { time })}</span>
      {left < closingSoonMs ? ` (${timeLeft(left)})` : null}
      <FreeWord conversation={conversation} now={now} timeZone={timeZone} t={t} />
    </span>
  )
}

/** Unsent text that can no longer be sent, to read and copy. */
export const KeptDraft = ({ text, t }: { text: string; t: InboxT }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  useIsomorphicLayoutEffect(() => {
    if (field.current) fit(field.current)
  }, [text])
  return (
    <div className="composer-kept">
      <textarea ref={field} readOnly rows={1} dir="auto" value={text} aria-label={t('composer.draft')} />
      <p>
        {t('composer.draftKept')}
        <CopyButton
          value={text}
          label={t('composer.copyDraft')}
          done={t('composer.draftCopied')}
          failed={t('composer.draftNotCopied')}
        />
      </p>
    </div>
  )
}

interface ModesProps extends WindowProps {
  isNote: boolean
  onMode(isNote: boolean): void
}

/**
 * Message or note, distinguished by word and colour, so that nobody sends a note to a customer. Typing does not
 * re-render it.
 */
export const Modes = memo(({ isNote, onMode, ...window }: ModesProps) => {
  const { t } = window
  return (
    <div className="composer-modes">
      {([false, true] as const).map(mode => (
        <button key={String(mode)} type="button" aria-pressed={mode === isNote} onClick={() => onMode(mode)}>
          {mode ? <Icon name="lock" /> : null}
          {t(mode ? 'note.mode' : 'note.reply')}
        </button>
      ))}
      {isNote ? <span>{t('note.private')}</span> : <WindowLine {...window} />}
    </div>
  )
})
