import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, Position } from '@xyflow/react'
import { type MouseEvent, memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddMenu } from '../editor/add-menu.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'
import { entryPx, stepWidthPx } from './rough-size.ts'
import { type Point, plainTurns, svgPath, type Way, wayPoints } from './ways.ts'

type CanvasEdge = Edge<{ readonly way: Way | undefined; readonly about: string }, 'way'>

/** A line begins and ends at the border of its steps, in the middle of a handle. */
const handleRadiusPx = 6
/** An end that moved further than this, because its step is dragged, has a line that ignores other steps. */
const movedPx = 24

const isNear = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) + Math.abs(a.y - b.y) < movedPx

/** The points of the line. The arrow is at the last one. */
const lineOf = ({ sourceX, sourceY, sourcePosition, targetX, targetY, data }: EdgeProps<CanvasEdge>): Point[] => {
  const entry = { x: targetX + handleRadiusPx, y: targetY }
  if (sourcePosition === Position.Bottom) {
    const from = { x: sourceX, y: sourceY - handleRadiusPx }
    return [from, { x: sourceX, y: entry.y - entryPx }].map((point, i) =>
      i && Math.abs(entry.x + stepWidthPx / 2 - sourceX) > stepWidthPx / 2 ? entry : point,
    )
  }
  const from = { x: sourceX - handleRadiusPx, y: sourceY }
  const way = data?.way
  const turns = way && isNear(way.from, from) && isNear(way.to, entry) ? way.turns : plainTurns(from, entry)
  return wayPoints(from, entry, turns)
}

const tipOf = ({ x, y }: Point, isDown: boolean): string =>
  isDown ? `M${x - 4.5} ${y - 7}h9l-4.5 7z` : `M${x - 7} ${y - 4.5}v9l7-4.5z`

/** The middle of the longest part. */
const middleOf = (points: readonly Point[]): Point => {
  let [best, longest]: [Point | undefined, number] = [points[0], -1]
  points.slice(1).forEach((b, i) => {
    const a = points[i] ?? b
    const length = Math.abs(a.x - b.x) + Math.abs(a.y - b.y)
    if (length > longest) [best, longest] = [{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, length]
  })
  return best ?? { x: 0, y: 0 }
}

/** A press on an item adds a step, which stays selected. */
const keepItems = (event: MouseEvent) => {
  if (event.target instanceof Element && event.target.closest('[data-item]')) event.stopPropagation()
}

/** A line in tracks between the steps. Pointed at or selected it offers to insert a step. */
export const CanvasEdgeView = memo(function CanvasEdgeView(props: EdgeProps<CanvasEdge>) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const { source, sourceHandleId, sourcePosition, selected, data, style } = props
  const [isPointed, setPointed] = useState(false)
  const points = lineOf(props)
  const middle = middleOf(points)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only shows the menu inside, which the keyboard reaches too
    <g onMouseEnter={() => setPointed(true)} onMouseLeave={() => setPointed(false)}>
      <BaseEdge path={svgPath(points)} {...(style ? { style } : {})} />
      <path className="flow-tip" d={tipOf(points.at(-1) ?? middle, sourcePosition === Position.Bottom)} />
      {(isPointed || selected) && !isReadOnly && sourceHandleId ? (
        <EdgeLabelRenderer>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed is the menu inside */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
          <div
            className="flow-insert nodrag nopan nokey"
            style={{ transform: `translate(-50%,-50%) translate(${middle.x}px,${middle.y}px)` }}
            onClick={keepItems}
          >
            <AddMenu
              place={{ from: source, output: sourceHandleId }}
              label={t('canvas.insert')}
              about={data?.about}
              className="flow-plus-button"
            />
          </div>
        </EdgeLabelRenderer>
      ) : null}
    </g>
  )
})
