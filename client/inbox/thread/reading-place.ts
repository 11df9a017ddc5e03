import { type RefObject, startTransition, useCallback, useRef, useState } from 'react'
import { useIsAlive } from '#client/ui/page/is-alive.ts'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { messagesPerPage } from '#shared/kernel/limits.ts'
import { type Seen, useScrollAhead } from '../list/rows/scroll-ahead.ts'
import { type Block, blocksOf, messageKey } from './thread-blocks.ts'
import { busyBlocks, isInMiddle, messageIn, placeBelow, type ReadingPlace, scrolledPlace } from './thread-places.ts'
import { blockAt, blocksFilling, covers, type Drawn, drawnAround, drawnAt, urgentPx } from './thread-window.ts'

/** A reader this close to the newest message scrolls along with new ones. */
const nearEndPx = 120
const moreAtPx = 400
/** The smallest height of head and composer. */
const headAndComposerPx = 180
/** A thread opened from the list first renders one screen, and the rest of the first page a moment later. */
const firstBlocks = () => blocksFilling(window.innerHeight - headAndComposerPx)

/** Just written here and not on the server yet. */
const isOwn = (message: Message): boolean => message.id === message.clientKey

// The scroller counts from its end (`column-reverse`): 0 is the newest message; above is negative.
const fromEndPx = (scroller: Element) => -scroller.scrollTop
const fromStartPx = (scroller: Element) => scroller.scrollHeight - scroller.clientHeight + scroller.scrollTop
const seenOf = (scroller: Element): Seen => ({ at: fromEndPx(scroller), height: scroller.clientHeight })
const toEndOf = (scroller: Element | null): void => {
  scroller?.scrollTo({ top: 0 })
}

/** Centers a message and highlights it. */
const showMessage = (scroller: Element, bubble: HTMLElement): void => {
  const [box, place] = [scroller.getBoundingClientRect(), bubble.getBoundingClientRect()]
  scroller.scrollTop += place.top - box.top - (box.height - Math.min(place.height, box.height)) / 2
  bubble.dataset.aimed = ''
}

const indexOf = (blocks: readonly Block[], id: string | undefined) =>
  id === undefined ? -1 : blocks.findIndex(block => block.messages.some(message => message.id === id))

interface Aim {
  /** Id of the message to show first. Absent: the newest. */
  readonly target?: string | undefined
  /** False: messages newer than the last one here are not loaded. */
  readonly isWhole?: boolean
}

/**
 * Decides which blocks of a thread are in the page, and keeps the reading position. Without scripts the scroller stays
 * at its end, and older messages grow upwards without a jump. This adds: a reader further up is not moved by changes
 * below, and sees how many messages arrived.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  blocks: readonly Block[],
  { target, isWhole = true }: Aim = {},
) {
  // Hydration renders what the server rendered.
  const isFresh = useIsAlive()
  const [heights] = useState(() => new Map<string, number>())
  const [drawn, setDrawn] = useState<Drawn>(() => {
    const at = indexOf(blocks, target)
    const page = blocksOf(messagesPerPage)
    return at < 0
      ? { below: 0, count: isFresh ? firstBlocks() : page, held: [] }
      : drawnAround(blocks, at, isFresh ? firstBlocks() + 1 : page)
  })
  /** The range being rendered. Without it, each scroll step would start again. */
  const wanted = useRef(drawn)
  const ahead = useScrollAhead()
  const show = (next: Drawn, isUrgent: boolean) => {
    wanted.current = next
    if (isUrgent) setDrawn(next)
    else startTransition(() => setDrawn(next))
  }
  const isAtEnd = useRef(target === undefined)
  const wasWhole = useRef(isWhole)
  const isAimed = useRef(false)
  const before = useRef<string | undefined>(undefined)
  const read = useRef<ReadingPlace | undefined>(undefined)
  const observer = useRef<ResizeObserver | undefined>(undefined)
  const [isAway, setAway] = useState(false)
  const [newBelow, setNewBelow] = useState(0)

  const { hold, draw } = useSteady({
    /** Restores the reading position, whatever changed below. */
    hold(hadAll: boolean) {
      const element = scroller.current
      if (!element || !read.current || (isAtEnd.current && hadAll)) return
      const now = placeBelow(element, read.current.id)
      if (now !== undefined) element.scrollTop -= now - read.current.below
      read.current = now === undefined ? scrolledPlace(element) : { ...read.current, below: now }
      isAtEnd.current = fromEndPx(element) < nearEndPx
    },
    /** Renders what is near. `letGo`: also removes what is far. */
    draw(letGo: boolean) {
      const element = scroller.current
      if (!element?.clientHeight) return
      const seen = seenOf(element)
      const soon = letGo ? ahead(seen) : seen
      const isLate = !covers(drawn, blocks, heights, soon)
      const now = isLate ? drawn : wanted.current
      const next = isLate ? drawnAt(blocks, heights, soon, now, urgentPx) : drawnAt(blocks, heights, seen, now)
      if (!letGo && next.below >= now.below && next.below + next.count <= now.below + now.count) return
      if (next === now && !now.held.length) return
      const end = blocks.length - next.below
      const inside = new Set(blocks.slice(Math.max(0, end - next.count), end).map(block => block.key))
      const held = busyBlocks(element).filter(key => !inside.has(key))
      // Between frames, unless the visible part is empty.
      if (next !== now || held.join() !== now.held.join()) show({ ...next, held }, isLate)
    },
  })

  /** Observes each rendered block. */
  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      observer.current ??= new ResizeObserver(entries => {
        // With one pane, while the list is visible, nothing has a height.
        if (!scroller.current?.clientHeight) return
        for (const { target, borderBoxSize } of entries) {
          const { block } = (target as HTMLElement).dataset
          if (block !== undefined) heights.set(block, borderBoxSize[0]?.blockSize ?? 0)
        }
        hold(wasWhole.current)
        draw(false)
      })
      const watching = observer.current
      // A taller scroller shows more. Its own resize is observed later than that of its contents.
      const box = element.closest('[role="log"]')
      if (box) watching.observe(box)
      watching.observe(element)
      return () => watching.unobserve(element)
    },
    [scroller, heights, hold, draw],
  )

  /** Returns whether a searched message has just become visible. */
  const aim = (element: HTMLDivElement): boolean => {
    if (!target || isAimed.current) return false
    const bubble = messageIn(element, target)
    if (!bubble) {
      const at = indexOf(blocks, target)
      if (at >= 0) show(drawnAround(blocks, at, blocksOf(messagesPerPage)), true)
      return at >= 0
    }
    isAimed.current = true
    showMessage(element, bubble)
    read.current = scrolledPlace(element)
    // With one pane the pressed element is hidden; keys continue here.
    if (!document.activeElement?.checkVisibility() || document.activeElement === document.body)
      element.focus({ preventScroll: true })
    return true
  }

  // After each change of what is rendered, and only then.
  useIsomorphicLayoutEffect(() => {
    const element = scroller.current
    const last = messages.at(-1)
    const known = before.current
    const hadAll = wasWhole.current
    before.current = last && messageKey(last)
    wasWhole.current = isWhole
    if (!element || aim(element)) return
    if (last && known !== undefined && messageKey(last) !== known) {
      if (isOwn(last)) {
        isAtEnd.current = true
        toEndOf(element)
      } else if (hadAll && !isAtEnd.current) {
        const place = messages.findIndex(message => messageKey(message) === known)
        const came = place < 0 ? [last] : messages.slice(place + 1)
        setNewBelow(count => count + came.filter(message => message.type !== 'activity').length)
      }
    }
    hold(hadAll)
    draw(false)
  }, [messages, blocks, isWhole, target, drawn])

  return {
    drawn,
    heights,
    measure,
    isAway,
    newBelow,
    /** Call it on every scroll. Returns whether older and newer messages are needed. */
    watch(element: HTMLDivElement): { older: boolean; newer: boolean } {
      const wasAtEnd = isAtEnd.current
      isAtEnd.current = fromEndPx(element) < nearEndPx
      // At the end no position is kept, so the distance to the end is unknown.
      const isKnown = !wasAtEnd && !isAtEnd.current
      const seen = seenOf(element)
      if (!isKnown || !isInMiddle(read.current, seen))
        read.current = scrolledPlace(element, blockAt(blocks, heights, seen.at + seen.height / 2)?.key)
      draw(true)
      setAway(fromEndPx(element) > element.clientHeight / 2)
      if (isAtEnd.current) setNewBelow(0)
      return { older: fromStartPx(element) < moreAtPx, newer: fromEndPx(element) < moreAtPx }
    },
    toEnd() {
      isAtEnd.current = true
      setNewBelow(0)
      toEndOf(scroller.current)
      draw(true)
    },
  }
}
