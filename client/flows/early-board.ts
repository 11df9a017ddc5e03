import type { Viewport } from '@xyflow/react'
import { scriptSafe } from '#client/script-safe.ts'
import type { Places } from './operations.ts'

interface Place {
  readonly x: number
  readonly y: number
}

/** From an end of one step to an end of another, each by its place among the steps; -1: of one that is not drawn. */
export interface Way {
  readonly from: number
  readonly to: number
  readonly begins: Place
  readonly ends: Place
}

/** What is drawn before the canvas is there. */
export interface EarlyDrawing {
  readonly view: Viewport
  /** In the order they are drawn in. */
  readonly steps: readonly (Place & { readonly id: string })[]
  readonly ways: readonly Way[]
  readonly isReadOnly: boolean
}

/** What people did to it. */
export interface EarlyBoard {
  /** Once no pointer is down. */
  atRest(): Promise<void>
  /** It answers no more; undefined where nobody touched it. */
  end(): { readonly view: Viewport; readonly places: Places; readonly chosen: string | undefined } | undefined
}

/** A way as the canvas bends it. Like what follows it must not use anything outside its own braces. */
export const bend = (from: Place, to: Place): string => {
  const away = to.x - from.x
  const by = away >= 0 ? away / 2 : 6.25 * Math.sqrt(-away)
  return `M${from.x},${from.y} C${from.x + by},${from.y} ${to.x - by},${to.y} ${to.x},${to.y}`
}

/** Runs in the page, before it has its scripts: the drawing is moved about in and brought nearer, its steps are dragged and chosen. */
const answer = ({ view, steps, ways, isReadOnly }: EarlyDrawing, bent: typeof bend) => {
  const [nearest, farthest, slopPx] = [2, 0.1, 3]
  const at = { ...view }
  const places: Record<string, Place> = {}
  let chosen: string | undefined
  let isTouched = false
  let press: { id: number; step: number; x: number; y: number; isDrag: boolean } | undefined
  let resting: (() => void)[] = []

  const planeOf = ({ target }: Event) =>
    target instanceof Element ? target.closest('.flow-board')?.querySelector<HTMLElement>('.flow-still-plane') : null
  const plane = () => document.querySelector<HTMLElement>('.flow-still-plane')
  /** The ways are drawn before the steps. */
  const cardOf = (step: number) => plane()?.children[step + 1] as HTMLElement | undefined
  const placeOf = (step: number): Place => {
    const { id, x, y } = steps[step] as EarlyDrawing['steps'][number]
    return places[id] ?? { x, y }
  }
  const look = () => {
    isTouched = true
    const drawn = plane()
    if (drawn) drawn.style.transform = `translate(${at.x}px,${at.y}px) scale(${at.zoom})`
  }
  /** An end goes along with its step. */
  const along = (end: Place, step: number): Place => {
    const was = steps[step]
    if (!was) return end
    const { x, y } = placeOf(step)
    return { x: end.x + x - was.x, y: end.y + y - was.y }
  }
  const move = (step: number, byX: number, byY: number) => {
    const [card, one] = [cardOf(step), steps[step]]
    if (!card || !one) return
    const { x, y } = placeOf(step)
    const next = { x: x + byX, y: y + byY }
    places[one.id] = next
    isTouched = true
    card.style.left = `${next.x}px`
    card.style.top = `${next.y}px`
    card.style.zIndex = '1'
    const d = ways.map(({ from, to, begins, ends }) => bent(along(begins, from), along(ends, to))).join('')
    plane()?.querySelector('path:last-of-type')?.setAttribute('d', d)
  }
  const choose = (step: number) => {
    isTouched = true
    chosen = steps[step]?.id
    for (const one of steps.keys()) cardOf(one)?.setAttribute('data-selected', String(one === step))
  }
  const stepAt = (x: number, y: number) =>
    steps.findLastIndex((_, step) => {
      const box = cardOf(step)?.getBoundingClientRect()
      return box && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
    })
  /** The canvas may be there already, below: it gets all of a gesture or nothing. */
  const keep = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch' || press || !planeOf(event)) return
    event.stopImmediatePropagation()
    const { pointerId: id, clientX: x, clientY: y } = event
    press = { id, step: stepAt(x, y), x, y, isDrag: false }
  }
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== press?.id) return
    event.stopImmediatePropagation()
    const [byX, byY] = [event.clientX - press.x, event.clientY - press.y]
    press.isDrag ||= Math.hypot(byX, byY) > slopPx
    if (!press.isDrag) return
    press.x = event.clientX
    press.y = event.clientY
    if (press.step >= 0 && !isReadOnly) return move(press.step, byX / at.zoom, byY / at.zoom)
    at.x += byX
    at.y += byY
    look()
  }
  const onUp = (event: PointerEvent) => {
    if (event.pointerId !== press?.id) return
    event.stopImmediatePropagation()
    if (!press.isDrag && event.type === 'pointerup') choose(press.step)
    press = undefined
    for (const tell of resting) tell()
    resting = []
  }
  const onWheel = (event: WheelEvent) => {
    const drawn = planeOf(event)
    if (!drawn) return
    keep(event)
    const board = drawn.parentElement?.getBoundingClientRect()
    if (!board) return
    const by = -event.deltaY * (event.deltaMode === 1 ? 0.05 : event.deltaMode ? 1 : 0.002) * (event.ctrlKey ? 10 : 1)
    const zoom = Math.min(nearest, Math.max(farthest, at.zoom * 2 ** by))
    const [x, y] = [event.clientX - board.left, event.clientY - board.top]
    at.x = x - ((x - at.x) * zoom) / at.zoom
    at.y = y - ((y - at.y) * zoom) / at.zoom
    at.zoom = zoom
    look()
  }
  const onMouse = (event: MouseEvent) => {
    if (planeOf(event)) keep(event)
  }
  const listeners = [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onUp],
    ['wheel', onWheel],
    ...['mousedown', 'mousemove', 'click', 'dblclick'].map(name => [name, onMouse] as const),
  ] as unknown as readonly [string, EventListener][]
  const how = { capture: true, passive: false }
  for (const [name, listener] of listeners) document.addEventListener(name, listener, how)
  const board: EarlyBoard = {
    atRest: () => (press ? new Promise(resolve => resting.push(resolve)) : Promise.resolve()),
    end() {
      for (const [name, listener] of listeners) document.removeEventListener(name, listener, how)
      for (const { id } of steps) {
        const place = places[id]
        if (place) places[id] = { x: Math.round(place.x), y: Math.round(place.y) }
      }
      return isTouched ? { view: at, places, chosen } : undefined
    },
  }
  Object.assign(window, { earlyBoard: board })
}

/** Script text. */
export const earlyBoardScript = (drawing: EarlyDrawing): string =>
  `(${answer.toString()})(${scriptSafe(JSON.stringify(drawing))},${bend.toString()})`

/** Of the page that was opened; asked for once. */
export const takeEarlyBoard = (): EarlyBoard | undefined => {
  const page = window as { earlyBoard?: EarlyBoard | undefined }
  const board = page.earlyBoard
  page.earlyBoard = undefined
  return board
}
