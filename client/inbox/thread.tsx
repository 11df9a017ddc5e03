import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { ChatTools } from '#client/chat-tools.tsx'
import { usePageCommands } from '#client/page-commands.ts'
import { apiOf, queryFor } from '#client/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Empty } from '#client/ui/empty.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useSuspensePages } from '#client/use-paged-list.ts'
import type { Conversation, Message } from '#shared/inbox.ts'
import type { Language } from '#shared/language.ts'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { Composer } from './composer.tsx'
import { Messages } from './messages.tsx'
import { asMessage, type Sender, useOutgoing } from './outgoing.ts'
import { conversationQuery, flatMessages, messagesQuery, placeConversation } from './queries.ts'
import type { InboxT } from './words.ts'

interface ThreadProps {
  org: string
  phone: string
  sender: Sender | undefined
}

/** What the person may do here; the server decides again. */
const useRole = () => effectiveRole(useOrg().role)

const useLock = (org: string, t: InboxT): string | null => {
  const { data: waba } = useSuspenseQuery(queryFor(org, 'numbers.getWaba', {}))
  const role = useRole()
  if (!roleCan(role, 'chat:reply')) return t('composer.noPermission')
  if (!waba.phone) return t('composer.notConnected')
  return waba.status === 'connected' ? null : t('composer.reauthorise')
}

const Head = ({
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
  const { phone, archived } = conversation
  const { search } = useLocation()
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
  const facts = [
    conversation.displayPhone || (conversation.username ? `@${conversation.username}` : t('thread.noNumber')),
    conversation.assignee ? t('thread.attendedBy', { name: conversation.assignee.name }) : null,
  ]
  return (
    <header className="pane-head">
      <Link className="icon-button back" to={paths.chats(org) + search} aria-label={t('thread.back')}>
        <Icon name="back" />
      </Link>
      <Avatar name={conversation.name} of={phone} small />
      <div className="thread-who">
        <h2 className="cut">{conversation.name}</h2>
        <div className="sub cut">{facts.filter(Boolean).join(' · ')}</div>
      </div>
      <span className="push" />
      <ChatTools org={org} conversationId={conversation.id} />
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
    </header>
  )
}

/** What is read is marked as read: only while the tab is seen, and again when something new arrives in it. */
const useReadWhileSeen = (org: string, conversation: Conversation, canReply: boolean) => {
  const client = useQueryClient()
  const { phone, unread } = conversation
  const last = conversation.lastMessage?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: not on `unread`, so that "mark as unread" stays while the chat is open
  useEffect(() => {
    if (!canReply || !unread || !last) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', mark)
      apiOf(client)(org)
        .inbox.markRead({ params: { phone } })
        .then(row => placeConversation(client, org, row))
        // The count stays as it is and the next message tries again.
        .catch(error => console.warn('The chat could not be marked as read', error))
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [client, org, phone, last, canReply])
}

const ThreadBody = ({ org, phone, sender }: ThreadProps) => {
  const { t, i18n } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const client = useQueryClient()
  const { data: conversation } = useSuspenseQuery(conversationQuery(org, phone))
  const query = useSuspensePages(messagesQuery(org, phone))
  const lockedBecause = useLock(org, t)
  const canReply = roleCan(useRole(), 'chat:reply')
  const outgoing = useOutgoing(org)
  const [replyTo, setReplyTo] = useState<Message | null>(null)
  useReadWhileSeen(org, conversation, canReply)

  const messages = useMemo(() => {
    const stored = flatMessages(query.data)
    const keys = new Set(stored.map(message => message.clientKey))
    const coming = outgoing.filter(item => item.phone === conversation.phone && !keys.has(item.clientKey))
    return [...stored, ...coming.map(asMessage)]
  }, [query.data, outgoing, conversation.phone])

  const api = apiOf(client)(org)
  const refused = (error: unknown) =>
    toast(t('toast.failed', { reason: error instanceof Error ? error.message : '' }), { kind: 'error' })
  const retry = (message: Message) => {
    if (message.clientKey === message.id) return sender?.retry(message.id)
    const { queryKey } = messagesQuery(org, conversation.phone)
    return api.inbox
      .retryMessage({ params: { id: message.id } })
      .then(() => client.invalidateQueries({ queryKey }), refused)
  }
  const retryMedia = (message: Message) => {
    const id = message.media?.url.split('/').pop()
    if (id) api.media.retryMedia({ params: { id } }).catch(refused)
  }
  const send = (text: string) => {
    sender?.send({
      clientKey: crypto.randomUUID(),
      phone: conversation.phone,
      text,
      at: new Date(now).toISOString(),
      replyTo: replyTo && { id: replyTo.id, wamid: replyTo.wamid, text: replyTo.text, direction: replyTo.direction },
    })
    setReplyTo(null)
  }
  return (
    <>
      <Head org={org} conversation={conversation} canReply={canReply} t={t} />
      <Messages
        key={conversation.phone}
        messages={messages}
        name={conversation.name}
        hasOlder={query.hasNextPage}
        loadingOlder={query.isFetchingNextPage}
        olderFailed={query.isFetchNextPageError}
        now={now}
        timeZone={timeZone}
        language={i18n.language as Language}
        t={t}
        onOlder={() => void query.fetchNextPage()}
        onReply={lockedBecause ? undefined : setReplyTo}
        onRetry={canReply ? retry : undefined}
        onDiscard={message => sender?.discard(message.id)}
        onRetryMedia={canReply ? retryMedia : undefined}
      />
      <Composer
        key={`composer ${conversation.phone}`}
        slug={org}
        conversation={conversation}
        lockedBecause={lockedBecause}
        replyTo={replyTo}
        now={now}
        timeZone={timeZone}
        t={t}
        onCancelReply={() => setReplyTo(null)}
        onSend={send}
        onTyping={() => {
          // A courtesy: whoever does not see "typing…" loses nothing.
          api.inbox.showTyping({ params: { phone: conversation.phone } }).catch(() => undefined)
        }}
      />
    </>
  )
}

const ThreadSkeleton = ({ label }: { label: string }) => (
  <>
    <div className="pane-head">
      <span className="avatar avatar-s" />
      <span className="skeleton" />
    </div>
    <div className="messages" role="status" aria-label={label}>
      <div className="messages-column thread-skeleton">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
    <div className="composer">
      <div className="composer-box composer-skeleton" />
    </div>
  </>
)

/** One conversation: its messages and the place to answer. */
export const Thread = (props: ThreadProps) => {
  const { t } = useTranslation('inbox')
  return (
    <main className="thread">
      <Suspense fallback={<ThreadSkeleton label={t('thread.loading')} />}>
        <ThreadBody key={props.phone} {...props} />
      </Suspense>
    </main>
  )
}

export const NoThread = () => {
  const { t } = useTranslation('inbox')
  return (
    <main className="thread">
      <Empty icon="chat" says={t('thread.none')} />
    </main>
  )
}
