import './inbox.css'
import './list.css'
import './bubble.css'
import './composer.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useParams } from 'react-router'
import { isApiError } from '#client/api-error.ts'
import { apiOf } from '#client/queries.ts'
import { MomentProvider } from '#client/ui/moment.tsx'
import { PRODUCT_NAME } from '#shared/product.ts'
import { ConversationList } from './list.tsx'
import { createSender, type Refusal, type Sender } from './outgoing.ts'
import { placeSentMessage } from './queries.ts'
import { useInboxEvents } from './use-inbox-events.ts'

export { inboxLoader as loader } from './loader.ts'

/** What the pages beside the list are given. */
export interface InboxOutlet {
  sender: Sender | undefined
}

/** Try again by itself: nobody answered, the server is busy or in trouble, or the first call is still at work. */
const passing = (error: unknown): boolean =>
  isApiError(error) &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === 'APP_IDEMPOTENCY_IN_PROGRESS')

const judge = (error: unknown): Refusal => ({
  passing: passing(error),
  reason: error instanceof Error ? error.message : String(error),
})

/** One sender per organization, alive while the inbox is. */
const useSender = (org: string): Sender | undefined => {
  const client = useQueryClient()
  const [sender, setSender] = useState<Sender>()
  useEffect(() => {
    const made = createSender(org, {
      deliver: item =>
        apiOf(client)(org).inbox.sendMessage(
          {
            body: {
              type: 'text',
              message: item.text,
              numberTel: item.phone,
              isHuman: true,
              clientKey: item.clientKey,
              ...(item.replyTo ? { replyToMessageId: item.replyTo.id } : {}),
            },
          },
          { idempotencyKey: item.clientKey },
        ),
      judge,
      delivered: (item, message) => placeSentMessage(client, org, item.phone, message),
    })
    setSender(made)
    return () => made.stop()
  }, [client, org])
  return sender
}

/** `/org/{slug}/c` and what is below it: the list, and beside it the chat that is open. */
export default function InboxPage() {
  const { org = '', phone } = useParams()
  const { t } = useTranslation('inbox')
  const sender = useSender(org)
  useInboxEvents(org)
  return (
    <MomentProvider>
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="inbox" data-open={phone ? 'true' : 'false'}>
        <ConversationList org={org} openPhone={phone} />
        <Outlet context={{ sender } satisfies InboxOutlet} />
      </div>
    </MomentProvider>
  )
}
