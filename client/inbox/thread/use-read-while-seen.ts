import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiOf } from '#client/app/queries.ts'
import { placeConversation } from '#client/inbox/queries.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'

/** Marks a chat as read while the tab is visible, and again when something arrives. */
export const useReadWhileSeen = (org: string, conversation: Conversation, canReply: boolean) => {
  const client = useQueryClient()
  const { unread } = conversation
  const phone = addressOfConversation(conversation)
  const last = conversation.lastMessage?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: not on `unread`, so that "mark as unread" stays while the chat is open
  useEffect(() => {
    if (!canReply || !unread || !last) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', mark)
      apiOf(client)(org)
        .inbox.markRead({ params: { phone } }, { keepalive: true })
        .then(row => placeConversation(client, org, row))
        // The count stays and the next message retries.
        .catch(error => console.warn('The chat could not be marked as read', error))
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [client, org, phone, last, canReply])
}
