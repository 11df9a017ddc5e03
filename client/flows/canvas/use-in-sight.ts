import { useReactFlow, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLasting } from '#client/ui/page/steady.ts'
import type { CanvasNode } from './canvas-node.tsx'
import { stepWidthPx } from './rough-size.ts'

const marginPx = 24
const durationMs = 200
/** The place beside a step where the next one is added. */
const exitsPx = 48

/** A range must move by this much to be within `roomPx`; a range that is too long shows its beginning. */
export const shiftInto = (fromPx: number, lengthPx: number, roomPx: number): number => {
  const beyondPx = fromPx + lengthPx + marginPx - roomPx
  const leftPx = beyondPx > 0 ? fromPx - beyondPx : fromPx
  return Math.max(leftPx, marginPx) - fromPx
}

interface Box {
  readonly left: number
  readonly top: number
  readonly across: number
  readonly down: number
}

/**
 * Returns the distance by which a box must move up (negative) or down to be clear of what covers it, such as the
 * minimap. Its head stays in sight, even if its foot is then covered.
 */
export const shiftClear = (box: Box, covers: readonly Box[], heightPx: number): number => {
  const cover = covers.find(
    one =>
      one.left < box.left + box.across &&
      box.left < one.left + one.across &&
      one.top < box.top + box.down &&
      box.top < one.top + one.down,
  )
  if (!cover) return 0
  const isAtTop = cover.top + cover.down / 2 < heightPx / 2
  if (isAtTop) return cover.top + cover.down + marginPx - box.top
  return Math.max(cover.top - marginPx - (box.top + box.down), Math.min(marginPx - box.top, 0))
}

/** The boxes of the tools and the minimap, which lie over the canvas. */
const coversOf = (canvas: HTMLElement | null): Box[] => {
  const from = canvas?.getBoundingClientRect()
  if (!canvas || !from) return []
  return [...canvas.querySelectorAll('.react-flow__panel:not(.react-flow__attribution)')].flatMap(panel => {
    const { left, top, width, height } = panel.getBoundingClientRect()
    return width ? [{ left: left - from.left, top: top - from.top, across: width, down: height }] : []
  })
}

/** Below it, steps show less than their content. */
export const readableZoom = 0.72

interface Sought {
  /** The simulation's current step, which is centred if it is not completely visible. */
  readonly stands: string | undefined
  readonly selected: readonly string[]
}

/**
 * Keeps the relevant step visible. Returns functions to call after a step was dragged, and to show a step. The canvas's
 * size is read without subscribing to it.
 */
export const useInSight = ({ stands, selected }: Sought) => {
  const { getNode, setCenter, getViewport, setViewport } = useReactFlow<CanvasNode>()
  const store = useStoreApi<CanvasNode>()
  const placeOf = (id: string) => {
    const node = getNode(id)
    if (!node) return undefined
    const { x, y, zoom } = getViewport()
    const { width: across = stepWidthPx, height: down = 120 } = node.measured ?? {}
    const { position, dragging: isDragged = false } = node
    const box = { left: position.x * zoom + x, top: position.y * zoom + y, across: across * zoom, down: down * zoom }
    return { position, across, down, isDragged, box }
  }
  const reveal = useLasting((id: string) => {
    const place = placeOf(id)
    if (!place) return
    const { width, height, domNode } = store.getState()
    const { position, across, down, box } = place
    const isInside = box.left >= 0 && box.top >= 0 && box.left + box.across <= width && box.top + box.down <= height
    const isSeen = isInside && !shiftClear(box, coversOf(domNode), height)
    const { zoom } = getViewport()
    if (isSeen && zoom >= readableZoom) return
    const center = { x: position.x + across / 2, y: position.y + down / 2 }
    void setCenter(center.x, center.y, { zoom: zoom < readableZoom ? 1 : zoom, duration: durationMs })
  })
  const follow = useEffectEvent(reveal)
  useEffect(() => {
    if (stands) follow(stands)
  }, [stands])

  /** The view before it made room for the panel, and after. */
  const moved = useRef<{ from: Viewport; to: Viewport }>(undefined)
  const comeBack = () => {
    const { from, to } = moved.current ?? {}
    moved.current = undefined
    const { x, y, zoom } = getViewport()
    // Unless somebody has moved it since.
    if (from && to && Math.abs(x - to.x) < 1 && Math.abs(y - to.y) < 1 && zoom === to.zoom)
      void setViewport(from, { duration: durationMs })
  }
  // Selecting a step opens the panel, which may cover the step.
  const isDue = useRef(false)
  const showBeside = useLasting(() => {
    const [chosen, another] = selected
    const isOne = chosen !== undefined && another === undefined
    const place = isOne ? placeOf(chosen) : undefined
    // A step just added, or moving, is checked again later.
    if (!isDue.current || (isOne && !place) || place?.isDragged) return
    isDue.current = false
    if (!place) return
    const { width, height, domNode } = store.getState()
    const { x, y, zoom } = getViewport()
    const { box } = place
    const across = box.across + exitsPx * zoom
    const right = shiftInto(box.left, across, width)
    const into = shiftInto(box.top, box.down, height)
    const inside = { ...box, left: box.left + right, top: box.top + into }
    const down = into + shiftClear(inside, coversOf(domNode), height)
    if (!right && !down) return
    moved.current = { from: { x, y, zoom }, to: { x: x + right, y: y + down, zoom } }
    void setViewport(moved.current.to, { duration: durationMs })
  })
  const goBack = useEffectEvent(comeBack)
  useEffect(() => {
    let before = store.getState().width
    let waiting: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      waiting = undefined
      showBeside()
    }
    const unsubscribe = store.subscribe(({ width }) => {
      if (width < before) isDue.current = true
      if (width > before) goBack()
      before = width
      // A step just added is moving to the previous centre.
      if (isDue.current) waiting ??= setTimeout(look, durationMs + 50)
    })
    return () => {
      unsubscribe()
      clearTimeout(waiting)
    }
  }, [store, showBeside])
  return { showBeside, reveal }
}
