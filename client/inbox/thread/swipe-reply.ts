import { type TouchEvent, useRef } from 'react'

/** Smaller movements are jitter or the start of a scroll. */
const slopPx = 12
const enoughPx = 64
const maxPx = 88

interface Swipe {
  readonly said: HTMLElement
  readonly fromX: number
  readonly fromY: number
  isUnderWay: boolean
  x: number
}

const touchOf = ({ touches }: TouchEvent) => (touches.length === 1 ? touches[0] : undefined)

/** Swiping a message to the right replies to it, as in WhatsApp. Vertical movement scrolls. */
export function useSwipeReply(answer: (id: string) => void) {
  const swipe = useRef<Swipe>(undefined)
  const put = (said: HTMLElement, x: number) => {
    said.style.translate = x ? `${x}px` : ''
  }
  const end = (isLetGo: boolean) => {
    const last = swipe.current
    swipe.current = undefined
    if (!last) return
    put(last.said, 0)
    const id = last.said.dataset.message
    if (isLetGo && last.isUnderWay && last.x >= enoughPx && id !== undefined) answer(id)
  }
  return {
    onTouchStart(event: TouchEvent) {
      const touch = touchOf(event)
      const said = event.target instanceof Element ? event.target.closest<HTMLElement>('.said') : null
      // Elements that scroll or play handle the touch themselves.
      const isTaken = event.target instanceof Element && event.target.closest('input, audio, video, .bubble-cards')
      if (!touch || said?.dataset.answers === undefined || isTaken) return end(false)
      swipe.current = { said, fromX: touch.clientX, fromY: touch.clientY, isUnderWay: false, x: 0 }
    },
    onTouchMove(event: TouchEvent) {
      const now = swipe.current
      const touch = touchOf(event)
      if (!now || !touch) return end(false)
      const x = touch.clientX - now.fromX
      if (!now.isUnderWay) {
        if (Math.abs(touch.clientY - now.fromY) > slopPx || x < -slopPx) return end(false)
        if (x < slopPx) return
        now.isUnderWay = true
      }
      now.x = Math.max(0, Math.min(x, maxPx))
      put(now.said, now.x)
    },
    onTouchEnd: () => end(true),
    onTouchCancel: () => end(false),
  }
}
