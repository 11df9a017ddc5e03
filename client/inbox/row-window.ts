import { type RefObject, useState } from 'react'
import { useIsomorphicLayoutEffect, useSteady } from '#client/ui/steady.ts'
import { conversationsPerPage } from '#shared/limits.ts'

/** As the style sheet has it. */
export const rowHeightPx = 76
/** So many rows beyond what is seen are drawn at a time; with fewer than these left, the next are. */
const [ahead, enough] = [10, 3]
/** A row with the focus stays up to so far away, and is let go then. */
const heldWithin = 40

/** Which rows are in the page: `to` is the first that is not. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The rows around what is seen, anew once it comes near to their end. `focused`: the one that must not go. */
export function rowsAt(seen: { top: number; height: number }, count: number, now: RowRange, focused = -1): RowRange {
  const first = Math.floor(seen.top / rowHeightPx)
  const end = Math.ceil((seen.top + seen.height) / rowHeightPx)
  const within = (row: number) => Math.max(0, Math.min(count, row))
  const isThere = now.from <= within(first - enough) && now.to >= within(end + enough) && now.to <= count
  if (isThere && now.to - now.from <= end - first + heldWithin + 2 * ahead) return now
  const isHeld = focused >= 0 && focused > first - heldWithin && focused < end + heldWithin
  return {
    from: within(Math.min(first - ahead, isHeld ? focused : count)),
    to: within(Math.max(end + ahead, isHeld ? focused + 1 : 0)),
  }
}

/** Of a long list, the rows around what is seen; in the first HTML, all of its first page. `look`: after each scroll. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number) {
  const [range, setRange] = useState<RowRange>({ from: 0, to: conversationsPerPage })
  const look = () => {
    const element = box.current
    // With one pane, while a chat is in sight, nothing has a height.
    if (!element?.clientHeight) return
    const focused = document.activeElement?.closest<HTMLElement>('.row')
    const drawn = focused && element.contains(focused) ? [...element.querySelectorAll('.row')].indexOf(focused) : -1
    const seen = { top: element.scrollTop, height: element.clientHeight }
    setRange(rowsAt(seen, count, range, drawn < 0 ? -1 : range.from + drawn))
  }
  const steady = useSteady({ look })
  useIsomorphicLayoutEffect(() => {
    const element = box.current
    if (!element || count <= conversationsPerPage) return
    // Once at the beginning, and whenever there is more room.
    const observer = new ResizeObserver(steady.look)
    observer.observe(element)
    steady.look()
    return () => observer.disconnect()
  }, [box, count, steady])
  return { from: Math.min(range.from, count), to: Math.min(range.to, count), look }
}
