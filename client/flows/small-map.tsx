import { type InternalNode, Panel, type ReactFlowState, useReactFlow, useStoreApi } from '@xyflow/react'
import { type PointerEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

const [width, height] = [200, 150]
/** Around what is shown, in pixels of the map. */
const margin = 5
/** While a step is dragged about its place here follows so often. */
const followMs = 150

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const boxOf = ({ internals, measured }: InternalNode): Box => ({
  x: internals.positionAbsolute.x,
  y: internals.positionAbsolute.y,
  width: measured.width ?? 0,
  height: measured.height ?? 0,
})
const sightOf = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

/** What holds all of them, as wide to its height as the map is. */
const holding = (boxes: readonly Box[]): Box => {
  const left = Math.min(...boxes.map(box => box.x))
  const top = Math.min(...boxes.map(box => box.y))
  const right = Math.max(...boxes.map(box => box.x + box.width))
  const bottom = Math.max(...boxes.map(box => box.y + box.height))
  const scale = Math.max((right - left) / (width - 2 * margin), (bottom - top) / (height - 2 * margin))
  return {
    x: (left + right - width * scale) / 2,
    y: (top + bottom - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  }
}
const outline = ({ x, y, width, height }: Box): string => `M${x},${y}h${width}v${height}h${-width}z`

/**
 * All of the flow in small, with what of it is in sight; pressed or dragged on, the canvas goes there. All steps are one
 * line of it: hundreds of drawings would each be asked whether they changed with every move of the pointer.
 */
export function SmallMap() {
  const { t } = useTranslation('flows')
  const store = useStoreApi()
  const { setCenter, getZoom, zoomTo } = useReactFlow()
  const map = useRef<SVGSVGElement>(null)
  const steps = useRef<SVGPathElement>(null)
  const veil = useRef<SVGPathElement>(null)
  const isPressed = useRef(false)
  const shown = useRef<Box>(undefined)

  useEffect(() => {
    let frame = 0
    let following: ReturnType<typeof setTimeout> | undefined
    let nodes: ReactFlowState['nodes'] | undefined
    let boxes: readonly Box[] = []
    let [view, veiled] = ['', '']
    let seen: Partial<Pick<ReactFlowState, 'transform' | 'width' | 'height'>> = {}
    const follow = () => {
      following = undefined
      if (store.getState().nodes !== nodes) later()
    }
    const draw = () => {
      frame = 0
      const state = store.getState()
      if (state.nodes !== nodes && following === undefined) {
        following = setTimeout(follow, followMs)
        nodes = state.nodes
        boxes = [...state.nodeLookup.values()].map(boxOf)
        steps.current?.setAttribute('d', boxes.map(outline).join(''))
      }
      const sight = sightOf(state)
      // Under the pointer it stays as large as it was: else what is pressed would move away.
      const all = (isPressed.current && shown.current) || holding([...boxes, sight])
      shown.current = all
      const viewNow = `${all.x} ${all.y} ${all.width} ${all.height}`
      if (viewNow !== view) map.current?.setAttribute('viewBox', viewNow)
      const veilNow = outline(all) + outline(sight)
      if (veilNow !== veiled) veil.current?.setAttribute('d', veilNow)
      ;[view, veiled] = [viewNow, veilNow]
    }
    const later = () => {
      const { nodes: newest, transform, width, height } = store.getState()
      const isSame = newest === nodes || following !== undefined
      if (isSame && transform === seen.transform && width === seen.width && height === seen.height) return
      seen = { transform, width, height }
      frame ||= requestAnimationFrame(draw)
    }
    later()
    const stop = store.subscribe(later)
    return () => {
      stop()
      cancelAnimationFrame(frame)
      clearTimeout(following)
    }
  }, [store])

  useEffect(() => {
    const zoom = (event: WheelEvent) => {
      event.preventDefault()
      void zoomTo(getZoom() * 2 ** (-event.deltaY * 0.002))
    }
    const drawn = map.current
    drawn?.addEventListener('wheel', zoom, { passive: false })
    return () => drawn?.removeEventListener('wheel', zoom)
  }, [zoomTo, getZoom])

  const go = ({ clientX, clientY }: PointerEvent) => {
    const place = map.current?.getBoundingClientRect()
    const all = shown.current
    if (!place || !all) return
    const x = all.x + ((clientX - place.left) / place.width) * all.width
    const y = all.y + ((clientY - place.top) / place.height) * all.height
    void setCenter(x, y, { zoom: getZoom() })
  }
  return (
    <Panel className="react-flow__minimap" position="bottom-right">
      <svg
        ref={map}
        className="react-flow__minimap-svg"
        width={width}
        height={height}
        role="img"
        aria-label={t('canvas.minimap')}
        onPointerDown={event => {
          isPressed.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={event => {
          if (isPressed.current) go(event)
        }}
        onPointerUp={() => {
          isPressed.current = false
        }}
        onPointerCancel={() => {
          isPressed.current = false
        }}
      >
        <path ref={steps} className="react-flow__minimap-node" />
        <path ref={veil} className="react-flow__minimap-mask" fillRule="evenodd" />
      </svg>
    </Panel>
  )
}
