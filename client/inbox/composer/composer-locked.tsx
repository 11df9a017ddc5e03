import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayWord, longDate } from '#shared/kernel/time.ts'
import { ConnectionLink } from '../thread/connection-link.tsx'
import type { InboxT } from '../words.ts'
import { FreeWord, KeptDraft } from './composer-parts.tsx'

interface ComposerLockedProps {
  conversation: Conversation
  reason: string
  /** Because of the person's role or the connection, so a template does not help either. */
  isBarred: boolean
  /** The unsent text. */
  text: string
  canNote: boolean
  now: number
  timeZone: string
  t: InboxT
  onTemplate: () => void
  onNote: () => void
}

type SinceProps = Pick<ComposerLockedProps, 'conversation' | 'now' | 'timeZone' | 't'>

/** Since when the window is closed. Nothing if the customer never wrote. */
const ClosedSince = ({ conversation: { windowClosesAt }, now, timeZone, t }: SinceProps) => {
  const { i18n } = useTranslation()
  if (windowClosesAt === null) return null
  const day = dayWord(windowClosesAt, now, timeZone)
  const time = clockTime(windowClosesAt, timeZone)
  return (
    <strong>
      {day === null
        ? t('window.closedOn', { day: longDate(windowClosesAt, i18n.language as Language, timeZone) })
        : t(day === 'today' ? 'window.closedToday' : 'window.closedYesterday', { time })}
    </strong>
  )
}

/** Replaces the field when nothing can be sent: says why, and what can be done. */
export const ComposerLocked = (props: ComposerLockedProps) => {
  const { conversation, reason, isBarred, text, canNote, now, timeZone, t, onTemplate, onNote } = props
  return (
    <div className="composer">
      <div className="composer-box composer-locked" role="note">
        <Icon name="lock" />
        <span>
          {isBarred ? null : <ClosedSince conversation={conversation} now={now} timeZone={timeZone} t={t} />}
          {reason} <FreeWord conversation={conversation} now={now} timeZone={timeZone} t={t} />
        </span>
        {text ? <KeptDraft text={text} t={t} /> : null}
        <div className="composer-locked-ways wrap">
          {isBarred ? (
            conversation.phone ? (
              <ConnectionLink />
            ) : null
          ) : (
            <button type="button" className="button button-primary" data-key="p" onClick={onTemplate}>
              <Icon name="form" />
              {t('composer.template')}
            </button>
          )}
          {canNote ? (
            <button type="button" className="button" onClick={onNote}>
              <Icon name="lock" />
              {t('note.mode')}
            </button>
          ) : null}
        </div>
      </div>
    </div>
  )
}
