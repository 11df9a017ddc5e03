/** Dragged this far of its width it goes. */
const awayShare = 0.8
/** Thrown at least this fast, and this far, it goes too. */
const throwPxPerMs = 0.5
const throwPx = 40
/** Less is a trembling finger, or the start of a scroll. */
const slopPx = 6
const leaveMs = 150
/** Held still this long before it was let go, it was not thrown. */
const restMs = 100

interface Drag {
  readonly pointerId: number
  readonly fromX: number
  readonly fromY: number
  isUnderWay: boolean
  x: number
  at: number
  /** Of the last move, with its direction. */
  pxPerMs: number
}

interface LetGo {
  /** How far from home, with its direction. */
  readonly x: number
  readonly width: number
  readonly pxPerMs: number
  /** Since the last move. */
  readonly restedMs: number
}

/** Whether what is let go there goes, rather than springs back. */
export const goes = ({ x, width, pxPerMs, restedMs }: LetGo): boolean => {
  if (Math.abs(x) >= width * awayShare) return true
  const isFast = restedMs < restMs && Math.abs(pxPerMs) >= throwPxPerMs
  return isFast && Math.abs(x) >= throwPx && pxPerMs > 0 === x > 0
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Lets a box be dragged sideways out of the way, by mouse, pen or finger; up and down a finger still scrolls, which
 * takes `touch-action: pan-y` of the box; its text must not be selectable, or the browser drags that instead. Let go too early it springs back. Answers how to stop.
 */
export const dragAway = (box: HTMLElement, onAway: () => void): (() => void) => {
  let drag: Drag | undefined
  let leaving: ReturnType<typeof setTimeout> | undefined

  const put = (x: number, ms: number) => {
    box.style.transition = ms && !isStill() ? `translate ${ms}ms ease-out, opacity ${ms}ms ease-out` : 'none'
    box.style.translate = x ? `${x}px` : ''
    box.style.opacity = x ? String(1 - Math.min(Math.abs(x) / box.offsetWidth, 1) * 0.7) : ''
  }
  const down = (event: PointerEvent) => {
    if (drag || leaving || event.button !== 0 || !event.isPrimary) return
    const { pointerId, clientX, clientY, timeStamp } = event
    listen()
    drag = { pointerId, fromX: clientX, fromY: clientY, isUnderWay: false, x: 0, at: timeStamp, pxPerMs: 0 }
  }
  const move = (event: PointerEvent) => {
    if (drag?.pointerId !== event.pointerId) return
    const x = event.clientX - drag.fromX
    if (!drag.isUnderWay) {
      if (Math.abs(x) < slopPx || Math.abs(x) < Math.abs(event.clientY - drag.fromY)) return
      drag.isUnderWay = true
      box.dataset.dragged = ''
    }
    const ms = event.timeStamp - drag.at
    if (ms > 0) drag.pxPerMs = (x - drag.x) / ms
    drag.x = x
    drag.at = event.timeStamp
    put(x, 0)
  }
  const end = (event: PointerEvent) => {
    if (drag?.pointerId !== event.pointerId) return
    const { isUnderWay, x, pxPerMs, at } = drag
    drag = undefined
    stopListening()
    if (!isUnderWay) return
    const isAway = goes({ x, width: box.offsetWidth, pxPerMs, restedMs: event.timeStamp - at })
    // The click that may follow comes before this.
    setTimeout(() => delete box.dataset.dragged)
    if (event.type === 'pointercancel' || !isAway) return put(0, leaveMs)
    put(Math.sign(x) * box.offsetWidth * 1.1, leaveMs)
    leaving = setTimeout(onAway, isStill() ? 0 : leaveMs)
  }
  /** What ends a drag over a button is no press of it. */
  const click = (event: MouseEvent) => {
    if (!('dragged' in box.dataset) && !leaving) return
    event.preventDefault()
    event.stopPropagation()
  }
  // On the window: a fast hand has left the box before its first move is told.
  const listen = () => {
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }
  const stopListening = () => {
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
  }
  box.addEventListener('pointerdown', down)
  box.addEventListener('click', click, true)
  return () => {
    clearTimeout(leaving)
    stopListening()
    box.removeEventListener('pointerdown', down)
    box.removeEventListener('click', click, true)
  }
}
