import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { areSingleKeysOn } from '#client/ui/page/single-keys.ts'

const heldMs = 500
const movedPx = 10

/** The id of the row of an event. Undefined: none. */
export const rowIdOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('a.row')?.dataset.id : undefined

/**
 * Rows are selected by Ctrl or Shift with a click, on their picture, with `x`, or by a long press; then taps select
 * more.
 */
export function useRowPicking(isPicking: boolean, pick: (id: string, toHere: boolean) => void) {
  const hold = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined)
  /** The click that ends a long press opens nothing. */
  const wasHeld = useRef(false)
  const letGo = () => clearTimeout(hold.current?.timer)
  useEffect(() => () => clearTimeout(hold.current?.timer), [])
  return {
    /** Returns whether the click selected a row. */
    press(event: MouseEvent<HTMLElement>): boolean {
      const id = rowIdOf(event.target)
      if (id === undefined || event.button !== 0 || event.altKey) return false
      const isFinger = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
      const isOnPicture = event.target instanceof Element && event.target.closest('.avatar') !== null
      const isFor = event.ctrlKey || event.metaKey || event.shiftKey || (isFinger ? isPicking : isOnPicture)
      if (!isFor && !wasHeld.current) return false
      event.preventDefault()
      if (!wasHeld.current) pick(id, event.shiftKey)
      wasHeld.current = false
      return true
    },
    key(event: KeyboardEvent<HTMLElement>): boolean {
      const id = rowIdOf(event.target)
      if (
        id === undefined ||
        event.key.toLowerCase() !== 'x' ||
        !areSingleKeysOn() ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return false
      event.preventDefault()
      pick(id, event.shiftKey)
      return true
    },
    hold: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        letGo()
        wasHeld.current = false
        const id = rowIdOf(event.target)
        if (event.pointerType !== 'touch' || id === undefined || isPicking) return
        const timer = setTimeout(() => {
          wasHeld.current = true
          pick(id, false)
        }, heldMs)
        hold.current = { timer, x: event.clientX, y: event.clientY }
      },
      onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
        const start = hold.current
        if (start && Math.hypot(clientX - start.x, clientY - start.y) > movedPx) letGo()
      },
      onPointerUp: letGo,
      onPointerCancel: letGo,
      // A link's context menu would cover the selection.
      onContextMenu(event: MouseEvent<HTMLElement>) {
        if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch') event.preventDefault()
      },
    },
  }
}
