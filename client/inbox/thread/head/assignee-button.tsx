import './assignee-button.css'
import type { RefObject } from 'react'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { shortName } from '#client/ui/text/short-name.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { assigneeWord } from '../../list/rows/row-html.ts'
import type { InboxT } from '../../words.ts'

interface AssigneeButtonProps {
  readonly ref: RefObject<HTMLButtonElement | null>
  readonly conversation: Pick<Conversation, 'assignee' | 'team'>
  /** The reader's id. */
  readonly userId: string
  readonly isOpen: boolean
  readonly t: InboxT
  onClick(): void
}

/** Names the assignee, or the team, and opens the choice of another. */
export const AssigneeButton = ({ ref, conversation, userId, isOpen, t, onClick }: AssigneeButtonProps) => {
  const { assignee, team } = conversation
  const owner = assignee ?? team ?? null
  const name = assigneeWord(owner, { t, userId })
  return (
    <button
      ref={ref}
      type="button"
      className="assignee-button line"
      data-key="a"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      title={owner ? `${t('assign.to')} ${name}` : t('assign.label')}
      onClick={onClick}
    >
      {assignee ? <Avatar name={assignee.name} of={assignee.id} small /> : <Icon name="person" />}
      {owner ? <span className="sr-only">{`${t('assign.to')} ${name}`}</span> : null}
      <span className="assignee-name cut" dir="auto" aria-hidden={owner !== null}>
        {assignee && assignee.id !== userId ? shortName(name) : name}
      </span>
      <Icon name="chevron" />
    </button>
  )
}
