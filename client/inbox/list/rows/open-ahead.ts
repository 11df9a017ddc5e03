import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useSteady } from '#client/ui/page/steady.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { controlQueries, conversationQuery, messagesQuery } from '../../queries.ts'
import { rowIdOf } from './row-picking.ts'

/** A pointer that only passes over a row rests for less than this. */
const restMs = 60

/**
 * Loads the chat of a row on which the pointer rests. A click comes about a tenth of a second later, and then the chat
 * is loaded. Not repeated within half a minute.
 */
export function useOpenAhead(org: string, conversations: readonly Conversation[]) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const restsOn = useRef<string>(undefined)
  const leave = () => {
    clearTimeout(timer.current)
    restsOn.current = undefined
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = (id: string | undefined) => {
    clearTimeout(timer.current)
    const meant = id === undefined ? undefined : conversations.find(one => one.id === id)
    if (!meant || !navigator.onLine) return
    const phone = addressOfConversation(meant)
    void client.prefetchQuery(conversationQuery(org, phone))
    void client.prefetchQuery(messagesQuery(org, phone))
    for (const query of controlQueries(org, meant)) void client.prefetchQuery(query)
  }
  return useSteady({
    onMouseOver({ target }: MouseEvent) {
      const id = rowIdOf(target)
      if (id === restsOn.current) return
      leave()
      if (id === undefined) return
      restsOn.current = id
      timer.current = setTimeout(() => ask(id), restMs)
    },
    onMouseLeave: leave,
    onMouseDown: ({ target }: MouseEvent) => ask(rowIdOf(target)),
  })
}
