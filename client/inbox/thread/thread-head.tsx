import { useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, useRef, useState } from 'react'
import { nameOfNumber } from '#client/app/number-name.ts'
import { apiOf, queryFor } from '#client/app/queries.ts'
import { useKnownAnswer } from '#client/app/use-answer.ts'
import { useFailureText } from '#client/app/use-api.ts'
import { focusComposerAfter, focusComposerFirst } from '#client/inbox/composer/composer-focus.ts'
import { contactSideId, setContactSide, useContactSide, useRoomBeside } from '#client/inbox/contact/contact-place.ts'
import { useChatTags } from '#client/inbox/contact/use-chat-tags.ts'
import { useListSearch } from '#client/inbox/list/list-address.ts'
import { placeConversation } from '#client/inbox/queries.ts'
import type { InboxT } from '#client/inbox/words.ts'
import { ChatMute } from '#client/notifications/chat-mute.tsx'
import { usePageCommands } from '#client/palette/page-commands.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { tagsHtml } from '#client/tags/tag-html.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMarkup } from '#client/ui/text/markup.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { Assignment } from './assignees.ts'
import { ControlBar } from './control-bar.tsx'
import { useSearchChat } from './search-chat.tsx'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const ChatPresence = quietPart(() => import('./chat-presence.tsx'))
const OptOutDialog = lazyDialog(() => import('#client/inbox/contact/opt-out-dialog.tsx'))
const ContactDialog = lazyDialog(() => import('#client/inbox/contact/contact-dialog.tsx'))
const AssignMenu = lazyDialog(() => import('./assign-menu.tsx'))

/** Letters that fit beside the number. */
const headLetters = 22

/** The first few tags, and how many more, as in the list. */
const HeadTags = ({ tags }: { tags: Conversation['tags'] }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="head-tags" dangerouslySetInnerHTML={useMarkup(tagsHtml(tags, headLetters))} />
)

/** The back link, and the customer as far as known. */
export const ThreadTop = ({
  org,
  conversation,
  tags = conversation?.tags ?? [],
  onOptOut,
  onContact,
  isContactBeside,
  presence,
  hasAllTools = false,
  children,
  t,
}: {
  org: string
  conversation: Conversation | undefined
  /** Including changes that are not stored yet. */
  tags?: Conversation['tags']
  /** Opens the opt-out. Absent: not allowed. */
  onOptOut?: () => void
  /** Opens or hides the contact. Absent until the chat is loaded. */
  onContact?: () => void
  /** Whether the contact is open beside the chat. Absent: it opens over it. */
  isContactBeside?: boolean
  /** Who else has it open. */
  presence?: ReactNode
  /** Reserves space for all tools, otherwise they would shift while the page loads. */
  hasAllTools?: boolean
  children?: ReactNode
  t: InboxT
}) => {
  const search = useListSearch()
  const press = useLinkPresses()
  // Not awaited, because the skeleton shows it too.
  const waba = useKnownAnswer(queryFor(org, 'numbers.getWaba', {}))
  const facts = conversation && [
    conversation.number === undefined
      ? null
      : t('thread.onNumber', { number: nameOfNumber(waba?.numbers ?? [], conversation.number) }),
    conversation.displayPhone ||
      (conversation.username ? `@${conversation.username}` : t(conversation.group ? 'row.group' : 'thread.noNumber')),
    conversation.assignee ? t('thread.attendedBy', { name: conversation.assignee.name }) : null,
    conversation.takenBy ? t('thread.takenBy', { name: conversation.takenBy.name }) : null,
    conversation.team ? t('thread.ofTeam', { name: conversation.team.name }) : null,
  ]
  return (
    <header className="pane-head">
      <a className="icon-button back" href={paths.chats(org) + search} aria-label={t('thread.back')} onClick={press}>
        <Icon name="back" />
      </a>
      {conversation && facts ? (
        <>
          <Avatar name={conversation.name} of={conversation.phone} small />
          <div className="thread-who">
            <h2 {...(onContact ? {} : { className: 'cut', dir: 'auto' })}>
              {onContact ? (
                <button
                  type="button"
                  className="who-button cut"
                  dir="auto"
                  title={t(isContactBeside ? 'contact.close' : 'contact.open')}
                  data-key="c"
                  aria-haspopup={isContactBeside === undefined ? 'dialog' : undefined}
                  aria-expanded={isContactBeside}
                  aria-controls={isContactBeside ? contactSideId : undefined}
                  onClick={onContact}
                >
                  {conversation.name}
                </button>
              ) : (
                conversation.name
              )}
            </h2>
            <div className="sub">
              <span className="cut">{facts.filter(Boolean).join(' · ')}</span>
              {presence}
              {conversation.optOut ? (
                <button
                  type="button"
                  className="chip chip-amber head-opt-out"
                  title={t('optOut.manage')}
                  disabled={!onOptOut}
                  onClick={onOptOut}
                >
                  {t('optOut.chip')}
                </button>
              ) : null}
              {tags.length ? <HeadTags tags={tags} /> : null}
            </div>
          </div>
        </>
      ) : (
        <>
          <span className="avatar avatar-s" />
          <span className="skeleton" />
        </>
      )}
      {children ? <div className={hasAllTools ? 'head-tools head-tools-all' : 'head-tools'}>{children}</div> : null}
    </header>
  )
}

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
  const api = apiOf(client)(org).inbox
  const failureText = useFailureText()
  const act = async (work: () => Promise<Conversation>, said?: string, undo?: () => void) => {
    try {
      placeConversation(client, org, await work())
      if (said) toast(said, undo && { action: { label: t('toast.undo'), onClick: undo } })
    } catch (error) {
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
    }
  }
  const { archived } = conversation
  const phone = addressOfConversation(conversation)
  const unarchive = () =>
    act(() => api.archiveChat({ body: { phoneNumber: phone, archived: false } }), t('toast.unarchived'))
  const archive = () =>
    archived
      ? unarchive()
      : act(
          () => api.archiveChat({ body: { phoneNumber: phone, archived: true } }),
          t('toast.archived'),
          () => void unarchive(),
        )
  const unread = () => act(() => api.markUnread({ params: { phone } }), t('toast.unread'))
  const userId = useViewer().user.id
  const assignButton = useRef<HTMLButtonElement>(null)
  const [isAssigning, setIsAssigning] = useState(false)
  const params = { phone }
  // The assignee as shown here: if it changed meanwhile, the change is refused.
  const ifHeldBy = conversation.assignee?.id ?? null
  const toBot = () => act(() => api.controlChat({ params, body: { owner: 'bot' } }), t('control.doneToBot'))
  const assign = ({ done, toBot: isBots, ...body }: Assignment) =>
    isBots ? toBot() : act(() => api.assignChat({ params, body: { ...body, ifHeldBy } }), done)
  /** A person who takes the chat answers next. */
  const assignHere = (assignment: Assignment) => {
    if (assignment.userId === userId) focusComposerAfter()
    return assign(assignment)
  }
  const take = () => {
    focusComposerFirst()
    return act(
      () => api.controlChat({ params, body: { owner: 'human', assigneeId: userId, ifHeldBy } }),
      t('assign.doneMe'),
    )
  }
  const pause = () =>
    act(() => api.controlChat({ params, body: { owner: 'human', assigneeId: null } }), t('control.donePause'))
  const tagButton = useRef<HTMLButtonElement>(null)
  const [isTagging, setIsTagging] = useState(false)
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
    setIsTagging(false)
    setIsOptingOut(true)
  }
  const contactCommand = { id: 'contact', title: t('contact.open'), icon: 'card' as const, run: openContact }
  const searchCommand = {
    id: 'searchChat',
    title: t('search.chat'),
    icon: 'search' as const,
    run: useSearchChat(org, phone),
  }
  usePageCommands(
    canReply
      ? [
          contactCommand,
          searchCommand,
          {
            id: 'archive',
            title: t(archived ? 'action.unarchive' : 'action.archive'),
            icon: archived ? 'unarchive' : 'archive',
            run: archive,
          },
          { id: 'unread', title: t('action.markUnread'), icon: 'unread', run: unread },
          { id: 'assign', title: t('assign.label'), icon: 'person', run: () => setIsAssigning(true) },
          ...(conversation.assignee?.id === userId
            ? []
            : [
                {
                  id: 'assignMe',
                  title: t('assign.me'),
                  icon: 'person' as const,
                  run: () => assignHere({ userId, done: t('assign.doneMe') }),
                },
              ]),
          ...(conversation.control === 'bot'
            ? []
            : [{ id: 'toBot', title: t('control.toBot'), icon: 'bot' as const, run: toBot }]),
          { id: 'startFlow', title: t('startFlow.label'), icon: 'flow' as const, run: onFlow },
          { id: 'note', title: t('note.write'), icon: 'lock', run: onNote },
          { id: 'tags', title: t('action.tags'), icon: 'tag', run: () => setIsTagging(true) },
          { id: 'optOut', title: optOutTitle, icon: 'hand', run: () => setIsOptingOut(true) },
        ]
      : [contactCommand, searchCommand],
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
        <ChatMute org={org} conversationId={conversation.id} />
        {canReply ? (
          <>
            <button
              ref={assignButton}
              type="button"
              className="icon-button"
              aria-label={t('assign.label')}
              aria-haspopup="dialog"
              aria-expanded={isAssigning}
              title={t('assign.label')}
              onClick={() => setIsAssigning(true)}
            >
              <Icon name="person" />
            </button>
            {isAssigning && assignButton.current ? (
              <AssignMenu
                org={org}
                anchor={assignButton.current}
                conversation={conversation}
                userId={userId}
                onAssign={assignment => void assignHere(assignment)}
                onClose={() => setIsAssigning(false)}
              />
            ) : null}
            <button
              ref={tagButton}
              type="button"
              className="icon-button"
              aria-label={t('action.tags')}
              aria-haspopup="dialog"
              aria-expanded={isTagging}
              title={t('action.tags')}
              onClick={() => setIsTagging(true)}
            >
              <Icon name="tag" />
            </button>
            {isTagging && tagButton.current ? (
              <TagMenu
                org={org}
                anchor={tagButton.current}
                chosen={tags}
                canManage={canManage}
                onChange={changeTag}
                onClose={() => setIsTagging(false)}
              >
                <button type="button" className="picker-link" onClick={askOptOut}>
                  {optOutTitle}
                </button>
              </TagMenu>
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
              className="icon-button"
              aria-label={t('action.markUnread')}
              data-key="u"
              title={t('action.markUnread')}
              onClick={unread}
            >
              <Icon name="unread" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t(archived ? 'action.unarchive' : 'action.archive')}
              data-key="e"
              title={t(archived ? 'action.unarchive' : 'action.archive')}
              onClick={archive}
            >
              <Icon name={archived ? 'unarchive' : 'archive'} />
            </button>
          </>
        ) : null}
      </ThreadTop>
      <ControlBar org={org} conversation={conversation} canReply={canReply} onTake={take} onPause={pause} t={t} />
    </>
  )
}

/** The customer, and actions on the conversation. */
export const ThreadHead = memo(Head)
