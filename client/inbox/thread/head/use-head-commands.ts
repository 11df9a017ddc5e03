import { type Command, usePageCommands } from '#client/palette/page-commands.ts'
import { useViewer } from '#client/shell/viewer.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { focusComposerFirst } from '../../composer/composer-focus.ts'
import type { InboxT } from '../../words.ts'
import type { useChatActions } from './use-chat-actions.ts'
import type { HeadMenus } from './use-head-menus.ts'

interface HeadCommands {
  readonly conversation: Conversation
  readonly canReply: boolean
  readonly menus: HeadMenus
  readonly actions: ReturnType<typeof useChatActions>
  onContact(): void
  onSearch(): void
  onText(): void
  onPage(): void
  onNote(): void
  onFlow(): void
  readonly t: InboxT
}

/** Commands for those who may only read. */
const readingCommands = ({ onContact, onSearch, t }: HeadCommands): Command[] => [
  { id: 'contact', title: t('contact.open'), icon: 'card', hint: 'c', run: onContact },
  { id: 'searchChat', title: t('search.chat'), icon: 'search', hint: 'f', run: onSearch },
]

const exportCommands = ({ onText, onPage, t }: HeadCommands): Command[] => [
  { id: 'exportText', title: t('action.exportText'), icon: 'download', run: onText },
  { id: 'exportPage', title: t('action.exportPage'), icon: 'file', run: onPage },
]

const stateCommands = ({ conversation: { archived }, menus, actions, t }: HeadCommands): Command[] => [
  {
    id: 'archive',
    title: t(archived ? 'action.unarchive' : 'action.archive'),
    icon: archived ? 'unarchive' : 'archive',
    hint: 'e',
    run: actions.toggleArchived,
  },
  { id: 'assign', title: t('assign.label'), icon: 'person', hint: 'a', run: menus.openAssign },
  { id: 'tags', title: t('action.tags'), icon: 'tag', hint: 't', run: menus.openTags },
  ...(archived
    ? []
    : [{ id: 'snooze', title: t('snooze.label'), icon: 'snooze' as const, hint: 'h', run: () => menus.openSnooze() }]),
  { id: 'unread', title: t('action.markUnread'), icon: 'unread', hint: 'u', run: actions.markUnread },
]

const takingCommands = (
  { conversation, menus, actions, onNote, onFlow, t }: HeadCommands,
  userId: string,
): Command[] => {
  const assignMe = () => {
    focusComposerFirst()
    void actions.assign({ userId, done: t('assign.doneMe') })
  }
  return [
    ...(conversation.assignee?.id === userId
      ? []
      : [{ id: 'assignMe', title: t('assign.me'), icon: 'person' as const, run: assignMe }]),
    ...(conversation.control === 'bot'
      ? []
      : [{ id: 'toBot', title: t('control.toBot'), icon: 'bot' as const, run: actions.toBot }]),
    { id: 'startFlow', title: t('startFlow.label'), icon: 'flow', run: onFlow },
    { id: 'note', title: t('note.write'), icon: 'lock', run: onNote },
    {
      id: 'optOut',
      title: t(conversation.optOut ? 'optOut.manage' : 'optOut.label'),
      icon: 'hand',
      run: menus.openOptOut,
    },
  ]
}

/** Offers the actions on the chat in the command palette, and by their keys. */
export function useHeadCommands(parts: HeadCommands): void {
  const userId = useViewer().user.id
  usePageCommands(
    parts.canReply
      ? [...stateCommands(parts), ...readingCommands(parts), ...takingCommands(parts, userId), ...exportCommands(parts)]
      : [...readingCommands(parts), ...exportCommands(parts)],
  )
}
