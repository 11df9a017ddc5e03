import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshPages } from '#client/app/paged-list.ts'
import { keyFor } from '#client/app/queries.ts'
import { useEvents, useLive } from '#client/shell/live-provider.tsx'
import { createUnreadRefresh } from '#client/shell/unread-count.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { LastMessage, Message } from '#shared/inbox/messages.ts'
import { windowClosingMs } from '#shared/kernel/limits.ts'
import type { LiveEvents } from '#shared/live/api.ts'
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

const moved = (message: Message, { status, wamid, error, unconfirmed, waiting }: LiveEvents['status']): Message => ({
  ...message,
  status,
  wamid,
  error,
  unconfirmed,
  waiting,
})

const movedLast = ({ error: _, ...last }: LastMessage, { status, error }: LiveEvents['status']): LastMessage => ({
  ...last,
  status,
  ...(error ? { error: error.code } : {}),
})

/** Whether its window was about to close when this was said. */
const wasClosing = ({ windowClosesAt }: Conversation, { lastMessage }: Conversation) =>
  windowClosesAt !== null && Date.parse(windowClosesAt) - Date.parse(lastMessage?.at ?? '') < windowClosingMs

/** One more message in a chat that had some unread changes no count. */
const isInOtherLanes = (before: Conversation | undefined, after: Conversation) =>
  !before ||
  before.unread > 0 !== after.unread > 0 ||
  before.control !== after.control ||
  before.archived !== after.archived ||
  before.assignee?.id !== after.assignee?.id ||
  wasClosing(before, after) ||
  before.lastMessage?.status === 'failed'

/** The simulator let time pass: every message of the chat is older than this page believes. */
const isAged = (before: Conversation | undefined, after: Conversation) =>
  Boolean(before?.lastMessage && after.lastMessage && after.lastMessage.at < before.lastMessage.at)

/** Keeps what is on screen true while events come; what was missed is asked again. */
export const useInboxEvents = (org: string): void => {
  const client = useQueryClient()
  const live = useLive()
  const { language } = useTranslation().i18n
  const unread = useRef<ReturnType<typeof createUnreadRefresh>>(undefined)
  useEffect(() => {
    const refresh = createUnreadRefresh(client, org)
    unread.current = refresh
    return refresh.stop
  }, [client, org])
  useEffect(() => {
    // Nobody writes down what comes once this stream is left.
    return live && (() => forgetInbox(client, org))
  }, [client, live, org])
  const refresh = () => refreshInbox(client, org)
  useEvents(
    {
      message: ({ message, conversation }) => {
        const address = addressOfConversation(conversation)
        if (isInOtherLanes(findConversation(client, org, address), conversation)) unread.current?.changed()
        placeMessage(client, org, address, message)
        placeConversation(client, org, conversation)
      },
      internal: event => placeMessage(client, org, addressOfEvent(event), event.message),
      messageChanged: event => placeMessage(client, org, addressOfEvent(event), event.message),
      status: event => {
        const address = addressOfEvent(event)
        changeMessage(client, org, address, event.id, message => moved(message, event))
        const row = event.isLast ? findConversation(client, org, address) : undefined
        if (row?.lastMessage) placeConversation(client, org, { ...row, lastMessage: movedLast(row.lastMessage, event) })
        if (event.isLast && event.status === 'failed') unread.current?.changed()
        // One event serves readers of all languages; its sentence is Spanish.
        if (event.error && language !== 'es') refreshPages(client, messagesQuery(org, address).queryKey)
      },
      conversation: ({ conversation, mergedFrom, parted }) => {
        const before = findConversation(client, org, addressOfConversation(conversation))
        placeConversation(client, org, conversation)
        unread.current?.changed()
        if (mergedFrom || parted || isAged(before, conversation)) refresh()
      },
      connection: () => {
        void client.invalidateQueries({ queryKey: keyFor(org, 'numbers.getWaba') })
        // Another number may make conversations say which one they are held on, or take them out of the list.
        refresh()
      },
      tags: ({ change }) => {
        void client.invalidateQueries({ queryKey: tagsQuery(org).queryKey })
        // A new one is on nobody yet.
        if (change !== 'created') refresh()
      },
      // Names, tags and people may have come with it.
      contactImport: ({ state }) => {
        if (state !== 'running') refresh()
      },
      // Whoever had a chat may be shown in many.
      memberLeft: refresh,
      teamRemoved: refresh,
      paused: () => refreshWaiting(client, org),
      // A send to many tells once a second that it goes on, not of each message: the open chat may have got one.
      bulkSend: () => void client.invalidateQueries({ queryKey: keyFor(org, 'inbox.listMessages') }),
      visibility: () => dropInbox(client, org),
    },
    refresh,
  )
}
