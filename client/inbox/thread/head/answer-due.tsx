import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { startOfMinute } from '#shared/kernel/time.ts'
import { conversationWait } from '../../list/wait-html.ts'
import type { InboxT } from '../../words.ts'

/** How long the customer waits, or when their first response is due, in the words of the chat's row. */
export const AnswerDue = ({ conversation, t }: { conversation: Conversation; t: InboxT }) => {
  const { now, timeZone } = useMoment()
  const wait = conversationWait(conversation, { now: startOfMinute(now), timeZone, t })
  if (!wait) return null
  return (
    <span className={`chip head-due ${wait.isLate ? 'chip-red' : ''}`} title={wait.says}>
      <Icon name={wait.isLate ? 'warn' : 'clock'} />
      {wait.isPromised ? <span className="sr-only">{t('row.firstAnswer')}</span> : null}
      <span className="cut head-due-word">{wait.word}</span>
      <span className="head-due-time" aria-hidden="true">
        {wait.time || wait.word}
      </span>
    </span>
  )
}
