import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useEvents, useLive } from '#client/shell/live-provider.tsx'
import { createUnreadRefresh } from '#client/shell/sidebar/unread-count.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { LastMessage, Message } from '#shared/inbox/messages.ts'
import { windowClosingMs } from '#shared/kernel/limits.ts'
import type { LiveEvents } from '#shared/live/api.ts'
import { changeMessage, findConversation, placeConversation, placeMessage } from './placing.ts'
import { dropInbox, forgetInbox, messagesQuery, refreshInbox, refreshWaiting } from './queries.ts'

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

/** True if its window was about to close at that message. */
const wasClosing = ({ windowClosesAt }: Conversation, { lastMessage }: Conversation) =>
  windowClosesAt !== null && Date.parse(windowClosesAt) - Date.parse(lastMessage?.at ?? '') < windowClosingMs

/** Another message in an unread chat changes no count. */
const isInOtherParts = (before: Conversation | undefined, after: Conversation) =>
  !before ||
  before.unread > 0 !== after.unread > 0 ||
  before.control !== after.control ||
  before.archived !== after.archived ||
  before.assignee?.id !== after.assignee?.id ||
  wasClosing(before, after) ||
  before.lastMessage?.status === 'failed'

/** The simulator advanced time: every message of the chat became older. */
const isAged = (before: Conversation | undefined, after: Conversation) =>
  Boolean(before?.lastMessage && after.lastMessage && after.lastMessage.at < before.lastMessage.at)

/** A person answered: the first response is no longer due. The server says so some seconds later. */
const isAnswer = ({ author, type }: Message) => author?.kind === 'person' && type !== 'template'
const answered = ({ answerDueAt: _, ...row }: Conversation): Conversation => row

/** Keeps the page up to date with events. After missed events it is reloaded. */
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
    // After leaving this stream, events are missed.
    return live && (() => forgetInbox(client, org))
  }, [client, live, org])
  const refresh = () => refreshInbox(client, org)
  useEvents(
    {
      message: ({ message, conversation }) => {
        const address = addressOfConversation(conversation)
        if (isInOtherParts(findConversation(client, org, address), conversation)) unread.current?.changed()
        placeMessage(client, org, address, message)
        placeConversation(client, org, isAnswer(message) ? answered(conversation) : conversation)
      },
      internal: event => placeMessage(client, org, addressOfEvent(event), event.message),
      messageChanged: event => placeMessage(client, org, addressOfEvent(event), event.message),
      status: event => {
        const address = addressOfEvent(event)
        changeMessage(client, org, address, event.id, message => moved(message, event))
        const row = event.isLast ? findConversation(client, org, address) : undefined
        if (row?.lastMessage) placeConversation(client, org, { ...row, lastMessage: movedLast(row.lastMessage, event) })
        if (event.isLast && event.status === 'failed') unread.current?.changed()
        // An event serves readers of all languages; its text is Spanish.
        if (event.error && language !== 'es') refreshPages(client, messagesQuery(org, address).queryKey)
      },
      conversation: ({ conversation, mergedFrom, parted }) => {
        const before = findConversation(client, org, addressOfConversation(conversation))
        placeConversation(client, org, conversation)
        unread.current?.changed()
        if (mergedFrom || parted || isAged(before, conversation)) refresh()
      },
      answerDue: event => {
        if (event.dueAt === null) unread.current?.changed()
        const row = findConversation(client, org, addressOfEvent(event))
        if (!row) return
        placeConversation(client, org, event.dueAt === null ? answered(row) : { ...row, answerDueAt: event.dueAt })
      },
      connection: () => {
        void client.invalidateQueries({ queryKey: keyFor(org, 'numbers.getWaba') })
        // With another number, conversations may show which they belong to, or leave the list.
        refresh()
      },
      tags: ({ change }) => {
        void client.invalidateQueries({ queryKey: tagsQuery(org).queryKey })
        // A new tag is on no contact yet.
        if (change !== 'created') refresh()
      },
      // Names, tags and people may have changed.
      contactImport: ({ state }) => {
        if (state !== 'running') refresh()
      },
      // The assignee may be shown in many chats.
      memberLeft: refresh,
      teamRemoved: refresh,
      paused: () => refreshWaiting(client, org),
      // A bulk send emits one event a second, not one per message: the open chat may have got one.
      bulkSend: () => void client.invalidateQueries({ queryKey: keyFor(org, 'inbox.listMessages') }),
      visibility: () => dropInbox(client, org),
    },
    refresh,
  )
}
