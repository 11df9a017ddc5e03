import { type RefObject, startTransition, useRef, useState } from 'react'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/page/steady.ts'
import { conversationsPerPage } from '#shared/kernel/limits.ts'
import { type Seen, useScrollAhead } from './scroll-ahead.ts'

/** Must match the style sheet. */
export const rowHeightPx = 76
/**
 * Rows rendered beyond the visible ones. With fewer than `enough` left, the next are rendered between frames of
 * scrolling.
 */
const [around, enough] = [12, 7]
/** Rows rendered at once. With fewer, scrolling would reach the end before the others are rendered. */
const urgent = 6
/** A focused row stays within this distance. */
const heldWithin = 40

/** The rows in the page. `to` is exclusive. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

const seenRows = ({ at, height }: Seen) => ({
  first: Math.floor(at / rowHeightPx),
  end: Math.ceil((at + height) / rowHeightPx),
})

/** True if all visible rows are rendered. */
export const covers = (range: RowRange, seen: Seen, count: number): boolean => {
  const { first, end } = seenRows(seen)
  return range.from <= Math.max(0, first) && range.to >= Math.min(count, end)
}

/** The rows around the visible ones; unchanged until their end is near. `focused`: the row that must stay. */
export function rowsAt(seen: Seen, count: number, now: RowRange, focused = -1): RowRange {
  const { first, end } = seenRows(seen)
  const within = (row: number) => Math.max(0, Math.min(count, row))
  const isThere = now.from <= within(first - enough) && now.to >= within(end + enough) && now.to <= count
  if (isThere && now.to - now.from <= end - first + heldWithin + 2 * around) return now
  const isHeld = focused >= 0 && focused > first - heldWithin && focused < end + heldWithin
  return {
    from: within(Math.min(first - around, isHeld ? focused : count)),
    to: within(Math.max(end + around, isHeld ? focused + 1 : 0)),
  }
}

/** If visible rows are not rendered: those needed at once, and those already there. */
export function rowsAtOnce(seen: Seen, count: number, now: RowRange, focused = -1): RowRange {
  const { first, end } = seenRows(seen)
  const all = rowsAt(seen, count, { from: 0, to: -1 }, focused)
  const from = Math.max(all.from, Math.min(first - urgent, now.from))
  const to = Math.min(all.to, Math.max(end + urgent, now.to))
  const isApart = now.to <= all.from || now.from >= all.to
  return isApart ? all : { from, to }
}

/**
 * Renders only the rows around the visible ones of a long list, and in the first HTML its whole first page. `look`:
 * call it after each scroll.
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [range, setRange] = useState<RowRange>({ from: 0, to: conversationsPerPage })
  /** The range being rendered. Without it, each scroll step would start again. */
  const wanted = useRef(range)
  const ahead = useScrollAhead()
  const look = () => {
    const element = box.current
    // With one pane, while a chat is visible, nothing has a height.
    if (!element?.clientHeight) return
    const focused = document.activeElement?.closest<HTMLElement>('.row')
    const drawn = focused && element.contains(focused) ? [...element.querySelectorAll('.row')].indexOf(focused) : -1
    const seen = { at: element.scrollTop, height: element.clientHeight }
    const focus = drawn < 0 ? -1 : range.from + drawn
    const soon = ahead(seen)
    const isLate = !covers(range, soon, count)
    const next = isLate ? rowsAtOnce(soon, count, range, focus) : rowsAt(seen, count, wanted.current, focus)
    if (!isLate && next === wanted.current) return
    wanted.current = next
    if (isLate) setRange(next)
    else startTransition(() => setRange(next))
  }
  const steady = useSteady({ look })
  useIsomorphicLayoutEffect(() => {
    const element = box.current
    if (!element || count <= conversationsPerPage) return
    // Once at the beginning, and when the height changes.
    const observer = new ResizeObserver(steady.look)
    observer.observe(element)
    steady.look()
    return () => observer.disconnect()
  }, [box, count, steady])
  return { from: Math.min(range.from, count), to: Math.min(range.to, count), look }
}
