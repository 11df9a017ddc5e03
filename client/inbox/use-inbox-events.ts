import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshPages } from '#client/paged-list.ts'
import { keyFor } from '#client/queries.ts'
import { useLive } from '#client/shell/live-provider.tsx'
import { tagsQuery } from '#client/tags/queries.ts'
import { addressOfConversation, addressOfEvent } from '#shared/chat-address.ts'
import type { Conversation, Message } from '#shared/inbox.ts'
import type { LiveEvents } from '#shared/live.ts'
import {
  changeMessage,
  dropInbox,
  findConversation,
  forgetInbox,
  messagesQuery,
  placeConversation,
  placeMessage,
  refreshInbox,
  refreshWaiting,
} from './queries.ts'
import { createUnreadRefresh } from './unread-count.ts'

const moved = (message: Message, { status, wamid, error, unconfirmed, waiting }: LiveEvents['status']): Message => ({
  ...message,
  status,
  wamid,
  error,
  unconfirmed,
  waiting,
})

/** The simulator let time pass: every message of the chat is older than this page believes. */
const isAged = (before: Conversation | undefined, after: Conversation) =>
  Boolean(before?.lastMessage && after.lastMessage && after.lastMessage.at < before.lastMessage.at)

/** What changes a list, a chat or the count of what is unread. */
const changing = [
  'message',
  'messageChanged',
  'status',
  'conversation',
  'connection',
  'tags',
  'memberLeft',
  'teamRemoved',
  'resync',
  'visibility',
  'bulkSend',
] as const

/** Keeps what is on screen true while events come; what was missed is asked again. */
export const useInboxEvents = (org: string): void => {
  const client = useQueryClient()
  const live = useLive()
  const { i18n } = useTranslation()
  const { language } = i18n
  useEffect(() => {
    if (!live) return
    // The stream may be faster than this part of the page: what is shown may have been asked before.
    if (live.hasHeard(changing)) refreshInbox(client, org)
    const unread = createUnreadRefresh(client, org)
    const stops = [
      unread.stop,
      live.on('message', ({ message, conversation }) => {
        const address = addressOfConversation(conversation)
        // One more in a chat that had some changes nothing.
        if (!findConversation(client, org, address)?.unread && conversation.unread > 0) unread.changed()
        placeMessage(client, org, address, message)
        placeConversation(client, org, conversation)
      }),
      live.on('messageChanged', event => placeMessage(client, org, addressOfEvent(event), event.message)),
      live.on('status', event => {
        const address = addressOfEvent(event)
        changeMessage(client, org, address, event.id, message => moved(message, event))
        const row = event.isLast ? findConversation(client, org, address) : undefined
        if (row?.lastMessage)
          placeConversation(client, org, { ...row, lastMessage: { ...row.lastMessage, status: event.status } })
        // One event serves readers of all languages; its sentence is Spanish.
        if (event.error && language !== 'es') refreshPages(client, messagesQuery(org, address).queryKey)
      }),
      live.on('conversation', ({ conversation, mergedFrom }) => {
        const before = findConversation(client, org, addressOfConversation(conversation))
        placeConversation(client, org, conversation)
        unread.changed()
        if (mergedFrom || isAged(before, conversation)) refreshInbox(client, org)
      }),
      live.on('connection', () => {
        void client.invalidateQueries({ queryKey: keyFor(org, 'numbers.getWaba') })
        // Another number may make conversations say which one they are held on, or take them out of the list.
        refreshInbox(client, org)
      }),
      live.on('tags', ({ change }) => {
        void client.invalidateQueries({ queryKey: tagsQuery(org).queryKey })
        // A new one is on nobody yet.
        if (change !== 'created') refreshInbox(client, org)
      }),
      // Whoever had a chat may be shown in many.
      live.on('memberLeft', () => refreshInbox(client, org)),
      live.on('teamRemoved', () => refreshInbox(client, org)),
      live.on('paused', () => refreshWaiting(client, org)),
      // A send to many tells once a second that it goes on, not of each message: the open chat may have got one.
      live.on('bulkSend', () => void client.invalidateQueries({ queryKey: keyFor(org, 'inbox.listMessages') })),
      live.on('resync', () => refreshInbox(client, org)),
      live.on('visibility', () => dropInbox(client, org)),
    ]
    return () => {
      for (const stop of stops) stop()
      // Nobody writes down what comes from here on.
      forgetInbox(client, org)
    }
  }, [client, live, org, language])
}
