import type { RefObject } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { InboxT } from '../words.ts'
import { useBackText } from './use-back-text.ts'

interface SnoozeBarProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canReply: boolean
  /** The button that opens the choice of another time. */
  readonly changeButton: RefObject<HTMLButtonElement | null>
  onChange(): void
  onEnd(): void
  readonly t: InboxT
}

/** Says when a snoozed chat comes back, and whether its window is closed by then. */
export const SnoozeBar = ({ org, conversation, canReply, changeButton, onChange, onEnd, t }: SnoozeBarProps) => {
  const backText = useBackText(org)
  const { snoozedUntil, snooze, windowClosesAt } = conversation
  if (snoozedUntil === undefined) return null
  const when = backText(snoozedUntil)
  const isAfterWindow = windowClosesAt !== null && windowClosesAt < snoozedUntil
  return (
    <aside className="control-bar" aria-label={t('snooze.label')}>
      <Icon name="snooze" />
      <p>
        <strong>{t(snooze?.ifNoAnswer ? 'snooze.backIfNoAnswer' : 'snooze.back', { when })}</strong>
        {isAfterWindow ? ` ${t('snooze.windowClosed')}` : null}
      </p>
      {canReply ? (
        <>
          <button ref={changeButton} type="button" className="button button-quiet" onClick={onChange}>
            {t('snooze.change')}
          </button>
          <button type="button" className="button" onClick={onEnd}>
            {t('snooze.end')}
          </button>
        </>
      ) : null}
    </aside>
  )
}
