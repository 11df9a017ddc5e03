import { type MouseEvent, type PointerEvent, useRef } from 'react'

/** Farther than this a pointer draws, scrolls or has thought better of it. */
const slopPx = 10

interface Press {
  /** A button or a link. */
  readonly on: HTMLElement
  /** What of it. */
  readonly part: Element
  readonly x: number
  readonly y: number
}

/**
 * What is pressed may move away while it is held down, as when something comes in above or below it. A browser makes no
 * click of that; this does, on what the press began on. For a box of buttons and links that move by themselves.
 */
export function useKeptPress() {
  const press = useRef<Press>(undefined)
  const wasMade = useRef(false)
  return {
    onPointerDownCapture({ target, button, isPrimary, clientX: x, clientY: y }: PointerEvent) {
      const on = target instanceof Element ? target.closest<HTMLElement>('button, a') : null
      press.current = on && isPrimary && button === 0 ? { on, part: target as Element, x, y } : undefined
      wasMade.current = false
    },
    onPointerUpCapture({ clientX: x, clientY: y, nativeEvent }: PointerEvent) {
      const { current: began } = press
      press.current = undefined
      if (!began?.on.isConnected || began.on.matches(':disabled')) return
      if (Math.hypot(x - began.x, y - began.y) > slopPx) return
      // A finger's events go on where it began, whatever lies there now.
      if (began.on.contains(document.elementFromPoint(x, y))) return
      wasMade.current = true
      const { pointerType, ctrlKey, metaKey, shiftKey, altKey } = nativeEvent
      const how = { bubbles: true, cancelable: true, pointerType, ctrlKey, metaKey, shiftKey, altKey }
      const part = began.part.isConnected ? began.part : began.on
      part.dispatchEvent(new globalThis.PointerEvent('click', how))
    },
    onPointerCancelCapture() {
      press.current = undefined
    },
    /** The browser's own, on whatever lies there now, if it makes one at all; a click of the keys is another. */
    onClickCapture(event: MouseEvent) {
      if (!wasMade.current || !event.isTrusted || event.detail === 0) return
      wasMade.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
