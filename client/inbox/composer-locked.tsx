import { Icon } from '#client/ui/icon.tsx'
import type { Conversation } from '#shared/conversations.ts'
import { FreeWord, KeptDraft } from './composer-parts.tsx'
import { ConnectionLink } from './connection-link.tsx'
import type { InboxT } from './words.ts'

interface ComposerLockedProps {
  conversation: Conversation
  reason: string
  /** It is the person's role or the connection, and no template helps. */
  isBarred: boolean
  /** What was being written. */
  text: string
  canNote: boolean
  now: number
  timeZone: string
  t: InboxT
  onTemplate: () => void
  onNote: () => void
}

/** In place of the field where nothing can be sent: why, and what can be done. */
export const ComposerLocked = (props: ComposerLockedProps) => {
  const { conversation, reason, isBarred, text, canNote, now, timeZone, t, onTemplate, onNote } = props
  return (
    <div className="composer">
      <div className="composer-box composer-locked" role="note">
        <Icon name="lock" />
        <span>
          {reason} <FreeWord conversation={conversation} now={now} timeZone={timeZone} t={t} />
        </span>
        {isBarred ? (
          conversation.phone ? (
            <ConnectionLink />
          ) : null
        ) : (
          <button type="button" className="button button-primary" onClick={onTemplate}>
            <Icon name="form" />
            {t('composer.template')}
          </button>
        )}
        {text ? <KeptDraft text={text} t={t} /> : null}
        {canNote ? (
          <button type="button" className="button" onClick={onNote}>
            <Icon name="lock" />
            {t('note.mode')}
          </button>
        ) : null}
      </div>
    </div>
  )
}
