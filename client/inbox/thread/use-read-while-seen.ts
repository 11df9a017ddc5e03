import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiOf } from '#client/app/queries/queries.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { placeConversation } from '../placing.ts'

/** Long enough to press `e` again, short enough to have read a line. Reading panes of mail programs wait as long. */
const lookMs = 5_000
/**
 * The events by which a person shows that they read the chat. Those of its head do not count: snoozing and archiving
 * are not reading.
 */
const acts = ['pointerdown', 'wheel', 'focusin'] as const
const readable = '.messages, .composer'

/**
 * The person looks at the chat on purpose: they opened it, they act in its messages or its composer, or it has been in
 * a focused window for some seconds.
 */
const useIsLookedAt = (isChosen: boolean): boolean => {
  const [hasLooked, setHasLooked] = useState(isChosen)
  const isLookedAt = hasLooked || isChosen
  useEffect(() => {
    if (isLookedAt) return
    const look = () => setHasLooked(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    const time = () => {
      clearTimeout(timer)
      timer = document.hasFocus() ? setTimeout(look, lookMs) : undefined
    }
    const act = ({ target }: Event) => {
      if (target instanceof Element && target.closest(readable)) look()
    }
    time()
    for (const name of ['focus', 'blur'] as const) window.addEventListener(name, time)
    for (const name of acts) document.addEventListener(name, act, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const name of ['focus', 'blur'] as const) window.removeEventListener(name, time)
      for (const name of acts) document.removeEventListener(name, act)
    }
  }, [isLookedAt])
  return isLookedAt
}

/**
 * Marks a chat as read while the tab is visible, and again when something arrives.
 * @param isChosen false: another chat was archived and this one opened by itself. It stays unread until it is looked at.
 */
export const useReadWhileSeen = (
  org: string,
  conversation: Conversation,
  { canReply, isChosen }: { canReply: boolean; isChosen: boolean },
) => {
  const client = useQueryClient()
  const isLookedAt = useIsLookedAt(isChosen)
  const { unread } = conversation
  const phone = addressOfConversation(conversation)
  const last = conversation.lastMessage?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: not on `unread`, so that "mark as unread" stays while the chat is open
  useEffect(() => {
    if (!canReply || !unread || !last || !isLookedAt) return
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
  }, [client, org, phone, last, canReply, isLookedAt])
}
