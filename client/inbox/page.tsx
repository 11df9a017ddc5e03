import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { unreadQuery } from '#client/shell/sidebar/unread-count.ts'
import { shortCount } from '#client/ui/text/short-count.ts'
import { maxCounted } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { InboxOutlet } from './outlet.ts'
import './inbox.css'
import './list/list.css'
import './list/search/results.css'
import './thread/bubble/bubble.css'
import './composer/composer.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { startTransition, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { upload } from '#client/app/calls/upload.ts'
import { failureText } from '#client/app/calls/use-api.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { stayWhile } from '#client/shell/session-life.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { MomentProvider } from '#client/ui/text/moment.tsx'
import { api as contracts } from '#shared/api.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { fileForm } from './composer/files/file-form.ts'
import { type FileSender, fileSenderOf, hasSendingFiles } from './composer/files/sending-files.ts'
import { isHolding, outgoingScope, type Refusal, startSender } from './composer/outgoing.ts'
import { useContactSide } from './contact/contact-place.ts'
import { ContactSide } from './contact/contact-side.tsx'
import { useInboxWords } from './inbox-words.ts'
import { InboxKeys } from './keys.tsx'
import { ConversationList } from './list/list.tsx'
import { placeSentMessage } from './placing.ts'
import { conversationQuery } from './queries.ts'
import { useInboxEvents } from './use-inbox-events.ts'
import type { InboxT } from './words.ts'

/** `(2) Lucía Méndez · Recado`: the customer, and how many other chats are unread. */
const InboxTitle = ({ org, phone, t }: { org: string; phone: string | undefined; t: InboxT }) => {
  const language = useTranslation().i18n.language as Language
  const conversation = useKnownAnswer(conversationQuery(org, phone ?? ''))
  // Not in the first HTML: the page does not wait for a count in its title.
  const { data: counted } = useQuery({ ...unreadQuery(org), enabled: typeof window !== 'undefined' })
  const isOpenUnread = phone && conversation && conversation.unread > 0 && !conversation.archived
  const others = counted ? counted.conversations - (isOpenUnread ? 1 : 0) : 0
  const name = (phone && conversation?.name) || t('title')
  const count = others > 0 ? `(${shortCount(others, language, others >= maxCounted - 1)}) ` : ''
  return <title>{`${count}${name} · ${PRODUCT_NAME}`}</title>
}

const TeamDrafts = quietPart(() => import('./composer/drafts/team-drafts.tsx'))

export { inboxLoader as loader } from './loader.ts'

const otherPaneWithinMs = 4000

/** Failures worth an automatic retry: no answer, or the server is busy or failing. */
const passing = (error: unknown): boolean =>
  isApiError(error) && (error.status === 0 || error.status === 429 || error.status >= 500)

const isSignedOut = (error: unknown) => isApiError(error) && error.status === 401

const judge = (error: unknown, t: TFunction<'common'>): Refusal => ({
  passing: passing(error) || isSignedOut(error),
  waitsFor: isSignedOut(error) ? 'session' : 'connection',
  reason: failureText(t, error),
})

/** The first field error describes the file's problem; the main message only says that there is one. */
const reasonOf = (error: unknown, t: InboxT, common: TFunction<'common'>): string => {
  if (!isApiError(error)) return failureText(common, error)
  if (error.status === 0) return t('files.offline')
  return error.details[0]?.message ?? failureText(common, error)
}

const useFileSender = (org: string): FileSender | undefined => {
  const client = useQueryClient()
  const userId = useViewer().user.id
  const { t } = useInboxWords()
  const { t: common } = useTranslation('common')
  const [sender, setSender] = useState<FileSender>()
  useEffect(() => {
    const scope = outgoingScope(org, userId)
    const made = fileSenderOf(scope, {
      deliver: async (item, onPercent, signal) => {
        // Its `clientKey` prevents duplicates, as for texts.
        const form = fileForm(item.kind === 'voice' ? { ...item, as: item.kind } : item)
        return (await upload(contracts.inbox.sendMessage.path, form, { org, onPercent, signal })) as Message
      },
      reasonOf: error => reasonOf(error, t, common),
      delivered: (item, message) => placeSentMessage(client, org, item.phone, message),
    })
    startTransition(() => setSender(made))
    return stayWhile(() => hasSendingFiles(scope))
  }, [client, org, userId, t, common])
  return sender
}

/** One sender per person and organization while the inbox is open. */
const useSender = (org: string): void => {
  const client = useQueryClient()
  const userId = useViewer().user.id
  const { t } = useTranslation('common')
  useEffect(() => {
    const scope = outgoingScope(org, userId)
    const stop = startSender(scope, {
      deliver: item =>
        apiOf(client)(org).inbox.sendMessage(
          {
            body: {
              type: 'text',
              message: item.text,
              numberTel: item.phone,
              isHuman: true,
              // A repeated call returns the same message. An idempotency key would cost two more commits.
              clientKey: item.clientKey,
              ...(item.replyTo ? { replyToMessageId: item.replyTo.id } : {}),
            },
          },
          { keepalive: document.visibilityState === 'hidden' },
        ),
      judge: error => judge(error, t),
      delivered: (item, message) => placeSentMessage(client, org, item.phone, message),
    })
    const leaveAgain = stayWhile(() => isHolding(scope))
    return () => {
      leaveAgain()
      stop()
    }
  }, [client, org, userId, t])
}

/** `/org/{slug}/c` and below: the list, and the open chat beside it. */
export default function InboxPage() {
  const { org = '', phone } = useParams()
  const { t } = useInboxWords()
  useSender(org)
  const files = useFileSender(org)
  useInboxEvents(org)
  const isContactBeside = useContactSide() && phone !== undefined
  useEffect(() => {
    // Preloads both panes, so that switching needs no network. Failed loads are retried when opened.
    const load = () => void Promise.allSettled([import('./index-page.tsx'), import('./thread/chat-page.tsx')])
    const idle = window.requestIdleCallback?.(load, { timeout: otherPaneWithinMs })
    return () => {
      if (idle) cancelIdleCallback(idle)
    }
  }, [])
  return (
    <MomentProvider>
      <InboxKeys org={org} phone={phone} />
      <TeamDrafts />
      <InboxTitle org={org} phone={phone} t={t} />
      <main className="inbox" data-open={phone ? 'true' : 'false'} data-contact={isContactBeside}>
        <h1 className="sr-only">{t('title')}</h1>
        <ConversationList org={org} openPhone={phone} />
        <Outlet context={{ files } satisfies InboxOutlet} />
        {isContactBeside ? <ContactSide org={org} phone={phone} /> : null}
      </main>
    </MomentProvider>
  )
}
