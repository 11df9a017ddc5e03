import { BaseEdge, type Edge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import { lanePath } from './ways.ts'

export type CanvasEdge = Edge<{ readonly lane: number | undefined }, 'way'>

/** An edge: a curve where its way is free, otherwise lines around the steps. */
export const CanvasEdgeView = memo(function CanvasEdgeView(props: EdgeProps<CanvasEdge>) {
  const { sourceX, sourceY, targetX, targetY, data, style } = props
  const path =
    data?.lane === undefined
      ? getBezierPath(props)[0]
      : lanePath({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, data.lane)
  return <BaseEdge path={path} {...(style ? { style } : {})} />
})
