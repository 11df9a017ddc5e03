import { memo, useRef } from 'react'
import { useChatMute } from '#client/notifications/chat-mute.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { useChatTags } from '../../contact/use-chat-tags.ts'
import { SnoozeBar } from '../../snooze/snooze-bar.tsx'
import type { InboxT } from '../../words.ts'
import { ClosingBar } from './closing-bar.tsx'
import { ControlBar } from './control-bar.tsx'
import { HeadMenu } from './head-menu.tsx'
import { HeadTools } from './head-tools.tsx'
import { useSearchChat } from './search-chat.ts'
import { ThreadTop } from './thread-top.tsx'
import { useChatActions } from './use-chat-actions.ts'
import { useChatExport } from './use-chat-export.ts'
import { useHeadCommands } from './use-head-commands.ts'
import { useContactPlace, useHeadMenus } from './use-head-menus.ts'

const ChatPresence = quietPart(() => import('./chat-presence.tsx'))
const ContactDialog = lazyDialog(() => import('../../contact/contact-dialog.tsx'))

interface ThreadHeadProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canReply: boolean
  readonly canManage: boolean
  /** Starts a note. */
  readonly onNote: () => void
  /** Opens the choice of flows. */
  readonly onFlow: () => void
  readonly t: InboxT
}

const Head = ({ org, conversation, canReply, canManage, onNote, onFlow, t }: ThreadHeadProps) => {
  const phone = addressOfConversation(conversation)
  const actions = useChatActions(org, conversation, t)
  const { downloadText, openPage } = useChatExport(org, phone, t)
  const menus = useHeadMenus()
  const { openTags, openSnooze, openOptOut } = menus
  const contact = useContactPlace()
  const mute = useChatMute(org, conversation.id)
  const tagging = useChatTags(org, conversation, t)
  const changeButton = useRef<HTMLButtonElement>(null)
  const onSearch = useSearchChat(org, phone)
  const onText = () => void downloadText()
  const onPage = () => void openPage()
  const commands = { onContact: contact.open, onSearch, onText, onPage, onNote, onFlow }
  useHeadCommands({ conversation, canReply, menus, actions, ...commands, t })
  return (
    <>
      <ThreadTop
        org={org}
        conversation={conversation}
        tags={tagging.tags}
        onOptOut={canReply ? openOptOut : undefined}
        onContact={contact.press}
        {...(contact.hasRoom ? { isContactBeside: contact.isBeside } : {})}
        hasAllTools={canReply}
        presence={<ChatPresence phone={phone} />}
        t={t}
      >
        {contact.isInDialog ? (
          <ContactDialog
            org={org}
            phone={phone}
            name={conversation.name}
            canReply={canReply}
            onClose={contact.closeDialog}
          />
        ) : null}
        {mute.isMuted ? (
          <button
            type="button"
            className="icon-button head-wide"
            aria-label={mute.label}
            title={mute.says}
            onClick={mute.toggle}
          >
            <Icon name="soundOff" />
          </button>
        ) : null}
        {canReply ? <HeadTools {...{ org, conversation, canManage, menus, actions, tagging, t }} /> : null}
        <HeadMenu
          place={menus.more}
          canReply={canReply}
          muteLabel={mute.label}
          onTags={openTags}
          onSnooze={conversation.archived ? undefined : () => openSnooze()}
          onUnread={actions.markUnread}
          onMute={mute.toggle}
          onSearch={onSearch}
          onText={onText}
          onPage={onPage}
          t={t}
        />
      </ThreadTop>
      <SnoozeBar
        org={org}
        conversation={conversation}
        canReply={canReply}
        changeButton={changeButton}
        onChange={() => openSnooze(changeButton.current)}
        onEnd={() => void actions.endSnooze()}
        t={t}
      />
      <ClosingBar org={org} conversation={conversation} canReply={canReply} t={t} />
      <ControlBar
        org={org}
        conversation={conversation}
        canReply={canReply}
        onTake={actions.take}
        onPause={actions.pause}
        t={t}
      />
    </>
  )
}

/** The customer, and actions on the conversation. */
export const ThreadHead = memo(Head)
