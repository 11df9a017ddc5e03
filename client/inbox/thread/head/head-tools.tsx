import { useQueryClient } from '@tanstack/react-query'
import { useViewer } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { useComposerAfter } from '../../composer/composer-focus.ts'
import type { useChatTags } from '../../contact/use-chat-tags.ts'
import { placeConversation } from '../../placing.ts'
import type { InboxT } from '../../words.ts'
import { AssigneeButton } from './assignee-button.tsx'
import type { useChatActions } from './use-chat-actions.ts'
import type { HeadMenus } from './use-head-menus.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const OptOutDialog = lazyDialog(() => import('../../contact/opt-out-dialog.tsx'))
const SnoozeMenu = lazyDialog(() => import('../../snooze/snooze-menu.tsx'))
const AssignMenu = lazyDialog(() => import('./assign-menu.tsx'))

interface HeadToolsProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canManage: boolean
  readonly menus: HeadMenus
  readonly actions: ReturnType<typeof useChatActions>
  readonly tagging: ReturnType<typeof useChatTags>
  readonly t: InboxT
}

const AssignTool = ({ org, conversation, menus, actions, t }: HeadToolsProps) => {
  const userId = useViewer().user.id
  const { assignButton, isAssigning, openAssign, closeAssign } = menus
  const focusComposerAfterAssigning = useComposerAfter(isAssigning)
  return (
    <>
      <AssigneeButton
        ref={assignButton}
        conversation={conversation}
        userId={userId}
        isOpen={isAssigning}
        t={t}
        onClick={openAssign}
      />
      {isAssigning && assignButton.current ? (
        <AssignMenu
          org={org}
          anchor={assignButton.current}
          conversation={conversation}
          userId={userId}
          hasNote
          onAssign={assignment => {
            if (assignment.userId === userId) focusComposerAfterAssigning()
            void actions.assign(assignment)
          }}
          onClose={closeAssign}
        />
      ) : null}
    </>
  )
}

const TagTool = ({ org, conversation, canManage, menus, tagging, t }: HeadToolsProps) => {
  const { tagButton, taggingAt, openTags, closeTags, openOptOut } = menus
  return (
    <>
      <button
        ref={tagButton}
        type="button"
        className="icon-button head-wide"
        aria-label={t('action.tags')}
        aria-haspopup="dialog"
        aria-expanded={taggingAt !== undefined}
        data-key="t"
        title={t('action.tags')}
        onClick={openTags}
      >
        <Icon name="tag" />
      </button>
      {taggingAt ? (
        <TagMenu
          org={org}
          anchor={taggingAt}
          chosen={tagging.tags}
          canManage={canManage}
          onChange={tagging.change}
          onClose={closeTags}
        >
          <button type="button" className="picker-link" onClick={openOptOut}>
            {t(conversation.optOut ? 'optOut.manage' : 'optOut.label')}
          </button>
        </TagMenu>
      ) : null}
    </>
  )
}

const SnoozeTool = ({ org, conversation, menus, actions, t }: HeadToolsProps) => {
  const { snoozeButton, snoozingAt, openSnooze, closeSnooze } = menus
  return (
    <>
      {conversation.archived ? null : (
        <button
          ref={snoozeButton}
          type="button"
          className="icon-button head-middle"
          aria-label={t('snooze.label')}
          aria-haspopup="dialog"
          aria-expanded={snoozingAt !== undefined}
          data-key="h"
          title={t('snooze.label')}
          onClick={() => openSnooze()}
        >
          <Icon name="snooze" />
        </button>
      )}
      {snoozingAt ? (
        <SnoozeMenu
          org={org}
          anchor={snoozingAt}
          windowClosesAt={conversation.windowClosesAt}
          onSnooze={body => void actions.snooze(body)}
          onClose={closeSnooze}
        />
      ) : null}
    </>
  )
}

/** The buttons of those who may reply, with the menus that they open. */
export function HeadTools(props: HeadToolsProps) {
  const { org, conversation, menus, actions, t } = props
  const client = useQueryClient()
  const archiveWord = t(conversation.archived ? 'action.unarchive' : 'action.archive')
  return (
    <>
      <AssignTool {...props} />
      <TagTool {...props} />
      <SnoozeTool {...props} />
      {menus.isOptingOut ? (
        <OptOutDialog
          conversation={conversation}
          onChanged={row => placeConversation(client, org, row)}
          onClose={menus.closeOptOut}
        />
      ) : null}
      <button
        type="button"
        className="icon-button head-wide"
        aria-label={t('action.markUnread')}
        data-key="u"
        title={t('action.markUnread')}
        onClick={actions.markUnread}
      >
        <Icon name="unread" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={archiveWord}
        data-key="e"
        title={archiveWord}
        onClick={actions.toggleArchived}
      >
        <Icon name={conversation.archived ? 'unarchive' : 'archive'} />
      </button>
    </>
  )
}
