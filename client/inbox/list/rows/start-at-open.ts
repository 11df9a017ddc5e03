import { type RefObject, useEffect, useRef } from 'react'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { rowHeightPx } from './row-window.ts'

/** Rows read to find the open chat. One further down is found by scrolling. */
const maxRead = 300

interface Start {
  readonly conversations: readonly Conversation[]
  readonly openPhone: string | undefined
  readonly canLoad: boolean
  readonly loadingMore: boolean
  onMore(): void
}

/**
 * After a reload, or from a link, loads further pages of the list until it has the open chat, and scrolls to it. Stops as
 * soon as somebody scrolls or opens another chat.
 */
export function useStartAtOpen(
  box: RefObject<HTMLElement | null>,
  { conversations, openPhone, canLoad, loadingMore, onMore }: Start,
): void {
  /** The chat to find. Undefined: it was found, or is not looked for any more. */
  const sought = useRef(openPhone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever there are more rows
  useEffect(() => {
    const element = box.current
    if (sought.current === undefined || !element) return
    const place = conversations.findIndex(row => addressOfConversation(row) === sought.current)
    if (sought.current !== openPhone || element.scrollTop > 0) sought.current = undefined
    else if (place >= 0) {
      sought.current = undefined
      const top = place * rowHeightPx
      if (top + rowHeightPx > element.clientHeight) element.scrollTop = top - element.clientHeight / 2
    } else if (!canLoad || conversations.length >= maxRead) sought.current = undefined
    else if (!loadingMore) onMore()
  }, [conversations.length, loadingMore, canLoad, openPhone])
}
