import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#shared/inbox.ts'

/** Nearer to the newest message than this, one is taken along when another comes. */
const nearEndPx = 120
const moreAtPx = 400
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

/** Brings a message into the middle and lets it stand out. */
const showMessage = (scroller: Element, bubble: HTMLElement): void => {
  const [box, place] = [scroller.getBoundingClientRect(), bubble.getBoundingClientRect()]
  scroller.scrollTop += place.top - box.top - (box.height - Math.min(place.height, box.height)) / 2
  bubble.dataset.aimed = ''
}

interface Aim {
  /** Id of the message to be shown first; absent: the newest. */
  readonly target?: string | undefined
  /** False: newer messages than the last one here are not loaded yet. */
  readonly isWhole?: boolean
}

/**
 * Keeps what is being read where it is. Without a script the scroller stands at its end, stays there, and older messages
 * grow upwards without a jump; this adds the rest: who reads further up is not moved by what comes below, and is told
 * how many came.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  { target, isWhole = true }: Aim = {},
) {
  const isAtEnd = useRef(target === undefined)
  const wasWhole = useRef(isWhole)
  const isAimed = useRef(false)
  const before = useRef<{ key: string; id: string } | undefined>(undefined)
  const [isAway, setAway] = useState(false)
  const [newBelow, setNewBelow] = useState(0)

  useIsomorphicLayoutEffect(() => {
    const element = scroller.current
    const column = element?.firstElementChild
    const last = messages.at(-1)
    const known = before.current
    before.current = last && { key: messageKey(last), id: last.id }
    const hadAll = wasWhole.current
    wasWhole.current = isWhole
    const aimed = isAimed.current || !target ? null : element?.querySelector(`[data-message="${CSS.escape(target)}"]`)
    if (element && aimed instanceof HTMLElement) {
      isAimed.current = true
      showMessage(element, aimed)
      // With one pane what was pressed is gone from sight; keys go on here.
      if (!document.activeElement?.checkVisibility() || document.activeElement === document.body)
        element.focus({ preventScroll: true })
      return
    }
    if (!element || !column || !last || !known || messageKey(last) === known.key) return
    if (isOwn(last)) toEndOf(element)
    if (isOwn(last) || (isAtEnd.current && hadAll)) return
    const place = messages.findIndex(message => messageKey(message) === known.key)
    element.scrollTop -= belowPx(column, messages[place]?.id ?? known.id) ?? 0
    const came = place < 0 ? [last] : messages.slice(place + 1)
    if (hadAll) setNewBelow(count => count + came.filter(message => message.type !== 'activity').length)
  }, [messages, isWhole, target])

  return {
    isAway,
    newBelow,
    /** On every scroll; answers whether older and newer messages are wanted. */
    watch(element: HTMLDivElement): { older: boolean; newer: boolean } {
      isAtEnd.current = fromEndPx(element) < nearEndPx
      setAway(fromEndPx(element) > element.clientHeight / 2)
      if (isAtEnd.current) setNewBelow(0)
      return { older: fromStartPx(element) < moreAtPx, newer: fromEndPx(element) < moreAtPx }
    },
    toEnd() {
      isAtEnd.current = true
      setNewBelow(0)
      toEndOf(scroller.current)
    },
  }
}
