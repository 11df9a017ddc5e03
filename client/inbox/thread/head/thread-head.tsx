import { useQueryClient } from '@tanstack/react-query'
import { memo, useRef, useState } from 'react'
import { focusComposerFirst, useComposerAfter } from '#client/inbox/composer/composer-focus.ts'
import { contactSideId, setContactSide, useContactSide, useRoomBeside } from '#client/inbox/contact/contact-place.ts'
import { useChatTags } from '#client/inbox/contact/use-chat-tags.ts'
import { placeConversation } from '#client/inbox/queries.ts'
import { SnoozeBar } from '#client/inbox/snooze/snooze-bar.tsx'
import { ClosingBar } from '#client/inbox/thread/head/closing-bar.tsx'
import { ControlBar } from '#client/inbox/thread/head/control-bar.tsx'
import { useSearchChat } from '#client/inbox/thread/head/search-chat.ts'
import type { InboxT } from '#client/inbox/words.ts'
import { useChatMute } from '#client/notifications/chat-mute.ts'
import { usePageCommands } from '#client/palette/page-commands.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { AssigneeButton } from './assignee-button.tsx'
import { HeadMenu } from './head-menu.tsx'
import { ThreadTop } from './thread-top.tsx'
import { useChatActions } from './use-chat-actions.ts'
import { useChatExport } from './use-chat-export.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const ChatPresence = quietPart(() => import('#client/inbox/thread/head/chat-presence.tsx'))
const OptOutDialog = lazyDialog(() => import('#client/inbox/contact/opt-out-dialog.tsx'))
const ContactDialog = lazyDialog(() => import('#client/inbox/contact/contact-dialog.tsx'))
const SnoozeMenu = lazyDialog(() => import('#client/inbox/snooze/snooze-menu.tsx'))
const AssignMenu = lazyDialog(() => import('#client/inbox/thread/head/assign-menu.tsx'))

const Head = ({
  org,
  conversation,
  canReply,
  canManage,
  onNote,
  onFlow,
  t,
}: {
  org: string
  conversation: Conversation
  canReply: boolean
  canManage: boolean
  /** Starts a note. */
  onNote: () => void
  /** Opens the choice of flows. */
  onFlow: () => void
  t: InboxT
}) => {
  const client = useQueryClient()
  const userId = useViewer().user.id
  const { archived } = conversation
  const phone = addressOfConversation(conversation)
  const { toggleArchived, snooze, endSnooze, markUnread, toBot, assign, take, pause } = useChatActions(
    org,
    conversation,
    t,
  )
  const { downloadText, openPage } = useChatExport(org, phone, t)
  const assignButton = useRef<HTMLButtonElement>(null)
  const [isAssigning, setIsAssigning] = useState(false)
  const focusComposerAfterAssigning = useComposerAfter(isAssigning)
  const tagButton = useRef<HTMLButtonElement>(null)
  const snoozeButton = useRef<HTMLButtonElement>(null)
  const changeButton = useRef<HTMLButtonElement>(null)
  const [snoozingAt, setSnoozingAt] = useState<HTMLElement>()
  const more = useRef<HTMLSpanElement>(null)
  const mute = useChatMute(org, conversation.id)
  /** The button that is shown: in a narrow head, only that of the menu is. */
  const shownOf = (button: HTMLElement | null) =>
    (button?.checkVisibility() ? button : more.current?.querySelector('button')) ?? undefined
  const openSnooze = (from: HTMLElement | null = snoozeButton.current) => setSnoozingAt(shownOf(from))
  const [taggingAt, setTaggingAt] = useState<HTMLElement>()
  const openTags = () => setTaggingAt(shownOf(tagButton.current))
  const { tags, change: changeTag } = useChatTags(org, conversation, t)
  const [isOptingOut, setIsOptingOut] = useState(false)
  const [isContactOpen, setIsContactOpen] = useState(false)
  const hasRoom = useRoomBeside()
  const isContactBeside = useContactSide() && hasRoom
  const openContact = () => {
    if (isContactBeside) document.getElementById(contactSideId)?.focus()
    else if (hasRoom) setContactSide(true)
    else setIsContactOpen(true)
  }
  const pressContact = () => (isContactBeside ? setContactSide(false) : openContact())
  const optOutTitle = t(conversation.optOut ? 'optOut.manage' : 'optOut.label')
  const askOptOut = () => {
    setTaggingAt(undefined)
    setIsOptingOut(true)
  }
  const contactCommand = { id: 'contact', title: t('contact.open'), icon: 'card' as const, hint: 'c', run: openContact }
  const searchCommand = {
    id: 'searchChat',
    title: t('search.chat'),
    icon: 'search' as const,
    hint: 'f',
    run: useSearchChat(org, phone),
  }
  const exportCommands = [
    { id: 'exportText', title: t('action.exportText'), icon: 'download' as const, run: () => void downloadText() },
    { id: 'exportPage', title: t('action.exportPage'), icon: 'file' as const, run: () => void openPage() },
  ]
  usePageCommands(
    canReply
      ? [
          {
            id: 'archive',
            title: t(archived ? 'action.unarchive' : 'action.archive'),
            icon: archived ? 'unarchive' : 'archive',
            hint: 'e',
            run: toggleArchived,
          },
          { id: 'assign', title: t('assign.label'), icon: 'person', hint: 'a', run: () => setIsAssigning(true) },
          { id: 'tags', title: t('action.tags'), icon: 'tag', hint: 't', run: openTags },
          ...(archived
            ? []
            : [
                {
                  id: 'snooze',
                  title: t('snooze.label'),
                  icon: 'snooze' as const,
                  hint: 'h',
                  run: () => openSnooze(),
                },
              ]),
          { id: 'unread', title: t('action.markUnread'), icon: 'unread', hint: 'u', run: markUnread },
          contactCommand,
          searchCommand,
          ...(conversation.assignee?.id === userId
            ? []
            : [
                {
                  id: 'assignMe',
                  title: t('assign.me'),
                  icon: 'person' as const,
                  run: () => {
                    focusComposerFirst()
                    void assign({ userId, done: t('assign.doneMe') })
                  },
                },
              ]),
          ...(conversation.control === 'bot'
            ? []
            : [{ id: 'toBot', title: t('control.toBot'), icon: 'bot' as const, run: toBot }]),
          { id: 'startFlow', title: t('startFlow.label'), icon: 'flow' as const, run: onFlow },
          { id: 'note', title: t('note.write'), icon: 'lock', run: onNote },
          { id: 'optOut', title: optOutTitle, icon: 'hand', run: () => setIsOptingOut(true) },
          ...exportCommands,
        ]
      : [contactCommand, searchCommand, ...exportCommands],
  )
  return (
    <>
      <ThreadTop
        org={org}
        conversation={conversation}
        tags={tags}
        onOptOut={canReply ? askOptOut : undefined}
        onContact={pressContact}
        {...(hasRoom ? { isContactBeside } : {})}
        hasAllTools={canReply}
        presence={<ChatPresence phone={phone} />}
        t={t}
      >
        {isContactOpen ? (
          <ContactDialog
            org={org}
            phone={phone}
            name={conversation.name}
            canReply={canReply}
            onClose={() => setIsContactOpen(false)}
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
        {canReply ? (
          <>
            <AssigneeButton
              ref={assignButton}
              conversation={conversation}
              userId={userId}
              isOpen={isAssigning}
              t={t}
              onClick={() => setIsAssigning(true)}
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
                  void assign(assignment)
                }}
                onClose={() => setIsAssigning(false)}
              />
            ) : null}
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
                chosen={tags}
                canManage={canManage}
                onChange={changeTag}
                onClose={() => setTaggingAt(undefined)}
              >
                <button type="button" className="picker-link" onClick={askOptOut}>
                  {optOutTitle}
                </button>
              </TagMenu>
            ) : null}
            {archived ? null : (
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
                onSnooze={body => void snooze(body)}
                onClose={() => setSnoozingAt(undefined)}
              />
            ) : null}
            {isOptingOut ? (
              <OptOutDialog
                conversation={conversation}
                onChanged={row => placeConversation(client, org, row)}
                onClose={() => setIsOptingOut(false)}
              />
            ) : null}
            <button
              type="button"
              className="icon-button head-wide"
              aria-label={t('action.markUnread')}
              data-key="u"
              title={t('action.markUnread')}
              onClick={markUnread}
            >
              <Icon name="unread" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t(archived ? 'action.unarchive' : 'action.archive')}
              data-key="e"
              title={t(archived ? 'action.unarchive' : 'action.archive')}
              onClick={toggleArchived}
            >
              <Icon name={archived ? 'unarchive' : 'archive'} />
            </button>
          </>
        ) : null}
        <HeadMenu
          place={more}
          canReply={canReply}
          muteLabel={mute.label}
          onTags={openTags}
          onSnooze={archived ? undefined : () => openSnooze()}
          onUnread={markUnread}
          onMute={mute.toggle}
          onSearch={searchCommand.run}
          onText={() => void downloadText()}
          onPage={() => void openPage()}
          t={t}
        />
      </ThreadTop>
      <SnoozeBar
        org={org}
        conversation={conversation}
        canReply={canReply}
        changeButton={changeButton}
        onChange={() => openSnooze(changeButton.current)}
        onEnd={() => void endSnooze()}
        t={t}
      />
      <ClosingBar org={org} conversation={conversation} canReply={canReply} t={t} />
      <ControlBar org={org} conversation={conversation} canReply={canReply} onTake={take} onPause={pause} t={t} />
    </>
  )
}

/** The customer, and actions on the conversation. */
export const ThreadHead = memo(Head)
