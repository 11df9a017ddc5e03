/** A box that is dragged by this share of its width is dismissed. */
const awayShare = 0.8
/** A box thrown at least this fast, and this far, is dismissed too. */
const throwPxPerMs = 0.5
const throwPx = 40
/** Shorter moves are an unsteady finger, or the start of a scroll. */
const slopPx = 6
const leaveMs = 150
/** A box held still for this long before its release was not thrown. */
const restMs = 100

interface Drag {
  readonly pointerId: number
  readonly fromX: number
  readonly fromY: number
  isUnderWay: boolean
  x: number
  at: number
  /** The speed of the last move; negative: to the left. */
  pxPerMs: number
}

interface LetGo {
  /** The distance from its place; negative: to the left. */
  readonly x: number
  readonly width: number
  readonly pxPerMs: number
  /** Time since the last move. */
  readonly restedMs: number
}

/** True if a box released like this is dismissed; otherwise it springs back. */
export const goes = ({ x, width, pxPerMs, restedMs }: LetGo): boolean => {
  if (Math.abs(x) >= width * awayShare) return true
  const isFast = restedMs < restMs && Math.abs(pxPerMs) >= throwPxPerMs
  return isFast && Math.abs(x) >= throwPx && pxPerMs > 0 === x > 0
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Lets a box be dismissed by dragging it sideways, by mouse, pen or finger. It needs `touch-action: pan-y`, so that a
 * finger still scrolls up and down, and its text must not be selectable, or the browser drags the text instead.
 * Returns a function that stops this.
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
    // A click that follows the release comes before this.
    setTimeout(() => delete box.dataset.dragged)
    if (event.type === 'pointercancel' || !isAway) return put(0, leaveMs)
    put(Math.sign(x) * box.offsetWidth * 1.1, leaveMs)
    leaving = setTimeout(onAway, isStill() ? 0 : leaveMs)
  }
  /** A drag that ends over a button does not press it. */
  const click = (event: MouseEvent) => {
    if (!('dragged' in box.dataset) && !leaving) return
    event.preventDefault()
    event.stopPropagation()
  }
  // On the window, because a fast pointer leaves the box before its first move is reported.
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
