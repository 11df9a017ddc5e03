import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#shared/inbox.ts'

/** Nearer to the newest message than this, one is taken along when another comes. */
const nearEndPx = 120
const olderAtPx = 400
const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

/** One name for a message from its first bubble in this browser to its last status. */
export const messageKey = (message: Message): string => message.clientKey ?? message.id

/** Written here a moment ago and not with the server yet. */
const isOwn = (message: Message): boolean => message.id === message.clientKey

// The scroller runs from the end (`column-reverse`): 0 is the newest message, and what lies above is negative.
const fromEndPx = (scroller: Element) => -scroller.scrollTop
const fromStartPx = (scroller: Element) => scroller.scrollHeight - scroller.clientHeight + scroller.scrollTop
const toEndOf = (scroller: Element | null): void => {
  scroller?.scrollTo({ top: 0 })
}

/** Px from the end of the column to the end of this message; undefined when it is not drawn any more. */
const belowPx = (column: Element, id: string): number | undefined => {
  const bubble = column.querySelector(`[data-message="${CSS.escape(id)}"]`)
  return bubble ? column.getBoundingClientRect().bottom - bubble.getBoundingClientRect().bottom : undefined
}

/**
 * Keeps what is being read where it is. Without a script the scroller stands at its end, stays there, and older messages
 * grow upwards without a jump; this adds the rest: who reads further up is not moved by what comes below, and is told
 * how many came.
 */
export function useReadingPlace(scroller: RefObject<HTMLDivElement | null>, messages: readonly Message[]) {
  const isAtEnd = useRef(true)
  const before = useRef<{ key: string; id: string } | undefined>(undefined)
  const [isAway, setAway] = useState(false)
  const [newBelow, setNewBelow] = useState(0)

  useIsomorphicLayoutEffect(() => {
    const element = scroller.current
    const column = element?.firstElementChild
    const last = messages.at(-1)
    const known = before.current
    before.current = last && { key: messageKey(last), id: last.id }
    if (!element || !column || !last || !known || messageKey(last) === known.key) return
    if (isOwn(last)) toEndOf(element)
    if (isOwn(last) || isAtEnd.current) return
    const place = messages.findIndex(message => messageKey(message) === known.key)
    element.scrollTop -= belowPx(column, messages[place]?.id ?? known.id) ?? 0
    setNewBelow(count => count + (place < 0 ? 1 : messages.length - 1 - place))
  }, [messages])

  return {
    isAway,
    newBelow,
    /** On every scroll; answers whether older messages are wanted. */
    watch(element: HTMLDivElement): boolean {
      isAtEnd.current = fromEndPx(element) < nearEndPx
      setAway(fromEndPx(element) > element.clientHeight / 2)
      if (isAtEnd.current) setNewBelow(0)
      return fromStartPx(element) < olderAtPx
    },
    toEnd() {
      isAtEnd.current = true
      setNewBelow(0)
      toEndOf(scroller.current)
    },
  }
}
