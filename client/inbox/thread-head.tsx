import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { ChatMute } from '#client/notifications/chat-mute.tsx'
import { usePageCommands } from '#client/palette/page-commands.ts'
import { apiOf, queryFor } from '#client/queries.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation } from '#shared/inbox.ts'
import { nameOfNumber } from '#shared/number-name.ts'
import { paths } from '#shared/paths.ts'
import { placeConversation } from './queries.ts'
import type { InboxT } from './words.ts'

/** The way back, and who it is as far as this page knows. */
export const ThreadTop = ({
  org,
  conversation,
  children,
  t,
}: {
  org: string
  conversation: Conversation | undefined
  children?: ReactNode
  t: InboxT
}) => {
  const { search } = useLocation()
  // Not waited for: it stands in the skeleton of a chat, too.
  const { data: waba } = useQuery({ ...queryFor(org, 'numbers.getWaba', {}), enabled: false })
  const facts = conversation && [
    conversation.number === undefined
      ? null
      : t('thread.onNumber', { number: nameOfNumber(waba?.numbers ?? [], conversation.number) }),
    conversation.displayPhone || (conversation.username ? `@${conversation.username}` : t('thread.noNumber')),
    conversation.assignee ? t('thread.attendedBy', { name: conversation.assignee.name }) : null,
  ]
  return (
    <header className="pane-head">
      <Link className="icon-button back" to={paths.chats(org) + search} aria-label={t('thread.back')}>
        <Icon name="back" />
      </Link>
      {conversation && facts ? (
        <>
          <Avatar name={conversation.name} of={conversation.phone} small />
          <div className="thread-who">
            <h2 className="cut">{conversation.name}</h2>
            <div className="sub cut">{facts.filter(Boolean).join(' · ')}</div>
          </div>
        </>
      ) : (
        <>
          <span className="avatar avatar-s" />
          <span className="skeleton" />
        </>
      )}
      <span className="push" />
      {children}
    </header>
  )
}

/** Whom one writes to, and what can be done with the conversation. */
export const ThreadHead = ({
  org,
  conversation,
  canReply,
  t,
}: {
  org: string
  conversation: Conversation
  canReply: boolean
  t: InboxT
}) => {
  const client = useQueryClient()
  const api = apiOf(client)(org).inbox
  const act = async (work: () => Promise<Conversation>, said?: string) => {
    try {
      placeConversation(client, org, await work())
      if (said) toast(said)
    } catch (error) {
      toast(t('toast.failed', { reason: error instanceof Error ? error.message : '' }), { kind: 'error' })
    }
  }
  const { archived } = conversation
  const phone = addressOfConversation(conversation)
  const archive = () =>
    act(
      () => api.archiveChat({ body: { phoneNumber: phone, archived: !archived } }),
      t(archived ? 'toast.unarchived' : 'toast.archived'),
    )
  const unread = () => act(() => api.markUnread({ params: { phone } }), t('toast.unread'))
  usePageCommands(
    canReply
      ? [
          {
            id: 'archive',
            title: t(archived ? 'action.unarchive' : 'action.archive'),
            icon: archived ? 'unarchive' : 'archive',
            run: archive,
          },
          { id: 'unread', title: t('action.markUnread'), icon: 'unread', run: unread },
        ]
      : [],
  )
  return (
    <ThreadTop org={org} conversation={conversation} t={t}>
      <ChatMute org={org} conversationId={conversation.id} />
      {canReply ? (
        <>
          <button
            type="button"
            className="icon-button"
            aria-label={t('action.markUnread')}
            title={t('action.markUnread')}
            onClick={unread}
          >
            <Icon name="unread" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t(archived ? 'action.unarchive' : 'action.archive')}
            title={t(archived ? 'action.unarchive' : 'action.archive')}
            onClick={archive}
          >
            <Icon name={archived ? 'unarchive' : 'archive'} />
          </button>
        </>
      ) : null}
    </ThreadTop>
  )
}
