import { type RefObject, startTransition, useCallback, useRef, useState } from 'react'
import { type Seen, useScrollAhead } from '#client/inbox/list/scroll-ahead.ts'
import { useIsAlive } from '#client/ui/page/is-alive.ts'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { messagesPerPage } from '#shared/kernel/limits.ts'
import { type Block, blocksOf, messageKey } from './thread-blocks.ts'
import { busyBlocks, isInMiddle, messageIn, placeBelow, placeOf, type ReadingPlace } from './thread-places.ts'
import { blockAt, blocksFilling, covers, type Drawn, drawnAround, drawnAt, urgentPx } from './thread-window.ts'

/** Nearer to the newest message than this, one is taken along when another comes. */
const nearEndPx = 120
const moreAtPx = 400
/** At least. */
const headAndComposerPx = 180
/** A thread opened from the list shows a screen of it at once, and the rest of the first page a moment later. */
const firstBlocks = () => blocksFilling(window.innerHeight - headAndComposerPx)

/** Written here a moment ago and not with the server yet. */
const isOwn = (message: Message): boolean => message.id === message.clientKey

// The scroller runs from the end (`column-reverse`): 0 is the newest message, and what lies above is negative.
const fromEndPx = (scroller: Element) => -scroller.scrollTop
const fromStartPx = (scroller: Element) => scroller.scrollHeight - scroller.clientHeight + scroller.scrollTop
const seenOf = (scroller: Element): Seen => ({ at: fromEndPx(scroller), height: scroller.clientHeight })
const toEndOf = (scroller: Element | null): void => {
  scroller?.scrollTo({ top: 0 })
}

/** Brings a message into the middle and lets it stand out. */
const showMessage = (scroller: Element, bubble: HTMLElement): void => {
  const [box, place] = [scroller.getBoundingClientRect(), bubble.getBoundingClientRect()]
  scroller.scrollTop += place.top - box.top - (box.height - Math.min(place.height, box.height)) / 2
  bubble.dataset.aimed = ''
}

const indexOf = (blocks: readonly Block[], id: string | undefined) =>
  id === undefined ? -1 : blocks.findIndex(block => block.messages.some(message => message.id === id))

interface Aim {
  /** Id of the message to be shown first; absent: the newest. */
  readonly target?: string | undefined
  /** False: newer messages than the last one here are not loaded yet. */
  readonly isWhole?: boolean
}

/**
 * Says which blocks of a thread are in the page, and keeps what is being read where it is. Without a script the scroller
 * stands at its end, stays there, and what lies above grows upwards without a jump; this adds the rest: who reads further
 * up is not moved by what comes, goes or changes its height below, and is told how many came.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLDivElement | null>,
  messages: readonly Message[],
  blocks: readonly Block[],
  { target, isWhole = true }: Aim = {},
) {
  // What is taken over is drawn as the server drew it.
  const isFresh = useIsAlive()
  const [heights] = useState(() => new Map<string, number>())
  const [drawn, setDrawn] = useState<Drawn>(() => {
    const at = indexOf(blocks, target)
    const page = blocksOf(messagesPerPage)
    return at < 0
      ? { below: 0, count: isFresh ? firstBlocks() : page, held: [] }
      : drawnAround(blocks, at, isFresh ? firstBlocks() + 1 : page)
  })
  /** What is being drawn: asked for once, or each step of scrolling would begin it anew. */
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
    /** Back to where it was read, whatever has become of what lies below. */
    hold(hadAll: boolean) {
      const element = scroller.current
      if (!element || !read.current || (isAtEnd.current && hadAll)) return
      const now = placeBelow(element, read.current.id)
      if (now !== undefined) element.scrollTop -= now - read.current.below
      read.current = now === undefined ? placeOf(element) : { ...read.current, below: now }
      isAtEnd.current = fromEndPx(element) < nearEndPx
    },
    /** Draws what is near; `letGo`: and takes out of the page what is far. */
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
      // Between the frames, unless there is nothing where somebody reads.
      if (next !== now || held.join() !== now.held.join()) show({ ...next, held }, isLate)
    },
  })

  /** Of each block that is drawn. */
  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      observer.current ??= new ResizeObserver(entries => {
        // With one pane, while the list is in sight, nothing has a height.
        if (!scroller.current?.clientHeight) return
        for (const { target, borderBoxSize } of entries) {
          const { block } = (target as HTMLElement).dataset
          if (block !== undefined) heights.set(block, borderBoxSize[0]?.blockSize ?? 0)
        }
        hold(wasWhole.current)
        draw(false)
      })
      const watching = observer.current
      // With more room, more is seen. The scroller itself is told later than what lies in it.
      const box = element.closest('[role="log"]')
      if (box) watching.observe(box)
      watching.observe(element)
      return () => watching.unobserve(element)
    },
    [scroller, heights, hold, draw],
  )

  /** Answers whether a message that was searched for has come into sight now. */
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
    read.current = placeOf(element)
    // With one pane what was pressed is gone from sight; keys go on here.
    if (!document.activeElement?.checkVisibility() || document.activeElement === document.body)
      element.focus({ preventScroll: true })
    return true
  }

  // After each change of what is drawn, and nothing else.
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
    /** On every scroll; answers whether older and newer messages are wanted. */
    watch(element: HTMLDivElement): { older: boolean; newer: boolean } {
      const wasAtEnd = isAtEnd.current
      isAtEnd.current = fromEndPx(element) < nearEndPx
      // At the end nothing is held, and so nothing is known of how far the end is.
      const isKnown = !wasAtEnd && !isAtEnd.current
      const seen = seenOf(element)
      if (!isKnown || !isInMiddle(read.current, seen))
        read.current = placeOf(element, blockAt(blocks, heights, seen.at + seen.height / 2)?.key)
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
