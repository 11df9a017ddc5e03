import { type ReactFlowState, useReactFlow, useStore } from '@xyflow/react'
import { memo, type PointerEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type FlowGraph, nodeKind } from '#shared/flows/graph.ts'
import { roughSize } from './rough-size.ts'

const size = { width: 200, height: 110 }
const margin = 5

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const boxPath = ({ x, y, width, height }: Box): string => `M${x},${y}h${width}v${height}h${-width}z`

const around = (boxes: readonly Box[]): Box => {
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The visible part, in canvas pixels. */
const lookedAt = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})
const isSameBox = (a: Box, b: Box) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height

/** An SVG path per colour: hundreds of components with listeners would cost more than the visible steps. */
const Steps = memo(function Steps({ tones }: { readonly tones: ReadonlyMap<string, readonly Box[]> }) {
  return [...tones].map(([tone, boxes]) => (
    <path key={tone} className={`flow-map-${tone}`} d={boxes.map(boxPath).join('')} />
  ))
})

/** The minimap: a click or drag moves the canvas, the wheel zooms. */
export const CanvasMap = memo(function CanvasMap({ graph }: { readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { setCenter, getZoom, zoomTo } = useReactFlow()
  const view = useStore(lookedAt, isSameBox)
  const root = useRef<SVGSVGElement>(null)
  const [tones, steps] = useMemo(() => {
    const boxes = graph.nodes.map(node => ({ node, x: node.x, y: node.y, ...roughSize(node).measured }))
    return [Map.groupBy(boxes, ({ node }) => nodeKind(node).tone ?? 'speaks'), around(boxes)]
  }, [graph.nodes])
  const all = around([steps, view])
  const scale = Math.max(all.width / size.width, all.height / size.height) || 1
  const shown = {
    x: all.x + all.width / 2 - (size.width / 2 + margin) * scale,
    y: all.y + all.height / 2 - (size.height / 2 + margin) * scale,
    width: (size.width + 2 * margin) * scale,
    height: (size.height + 2 * margin) * scale,
  }
  const goTo = ({ clientX, clientY }: PointerEvent, duration: number) => {
    const place = root.current?.getScreenCTM()?.inverse()
    if (!place) return
    const at = new DOMPoint(clientX, clientY).matrixTransform(place)
    void setCenter(at.x, at.y, { zoom: getZoom(), duration })
  }
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    void zoomTo(getZoom() * 2 ** (-event.deltaY / (event.deltaMode ? 20 : 500)))
  })
  useEffect(() => {
    const map = root.current
    const turned = (event: WheelEvent) => onWheel(event)
    // A passive: false listener, because React's own cannot prevent the page from scrolling.
    map?.addEventListener('wheel', turned, { passive: false })
    return () => map?.removeEventListener('wheel', turned)
  }, [])
  return (
    <svg
      ref={root}
      className="flow-map"
      width={size.width}
      height={size.height}
      viewBox={`${shown.x} ${shown.y} ${shown.width} ${shown.height}`}
      role="img"
      aria-label={t('canvas.minimap')}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        goTo(event, 200)
      }}
      onPointerMove={event => {
        if (event.buttons & 1 && event.currentTarget.hasPointerCapture(event.pointerId)) goTo(event, 0)
      }}
    >
      <Steps tones={tones} />
      <path className="flow-map-view" d={boxPath(view)} />
    </svg>
  )
})
