import { type Edge, type ReactFlowState, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { startTransition, useEffect, useMemo, useState } from 'react'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { whenIdle } from '../editor/when-idle.ts'
import type { Shown } from './canvas-nodes.ts'
import { firstPartOf, firstViewport } from './first-view.ts'
import { isLarge } from './rough-size.ts'

export interface BoardSize {
  readonly width: number
  readonly height: number
}

type StoreApi = ReturnType<typeof useStoreApi<Shown>>

/** Work after the first paint waits this long at most for an idle page. */
const idleWithinMs = 300

/** Calls `work` once the current rendering is painted and the page is idle. Returns a function that cancels it. */
const afterPaint = (work: () => void): (() => void) => {
  let leave: () => void
  const frame = requestAnimationFrame(() => {
    leave = whenIdle(work, idleWithinMs)
  })
  leave = () => cancelAnimationFrame(frame)
  return () => leave()
}

type Measured = Parameters<ReactFlowState<Shown>['updateNodeInternals']>[0]

/** Delays the canvas's first measurement of its steps until they are painted. */
const measureOncePainted = (store: Pick<StoreApi, 'getState' | 'setState'>) => {
  const { updateNodeInternals } = store.getState()
  let waiting: Measured | undefined = new Map()
  const tell = () => {
    const seen = waiting
    waiting = undefined
    if (seen?.size) updateNodeInternals(seen)
  }
  store.setState({
    updateNodeInternals(updates, options) {
      if (!waiting) return updateNodeInternals(updates, options)
      if (!waiting.size) afterPaint(tell)
      for (const [id, update] of updates) waiting.set(id, update)
    },
  })
}

export const isThere = ({ panZoom, width }: ReactFlowState): boolean => panZoom !== null && width > 0

/** Renders the visible part of a large flow first, and the rest a moment later. */
export const useSlowly = (whole: FlowGraph): { readonly graph: FlowGraph; readonly isWhole: boolean } => {
  const [isWhole, setWhole] = useState(() => !isLarge(whole))
  const isBegun = useStore(isThere)
  useEffect(() => {
    if (isBegun) return afterPaint(() => startTransition(() => setWhole(true)))
  }, [isBegun])
  const graph = useMemo(() => {
    const view = isWhole ? undefined : firstViewport(whole)
    return view ? firstPartOf(whole, view) : whole
  }, [whole, isWhole])
  return { graph, isWhole }
}

/**
 * Renders the first visible part at once; otherwise the library would render an empty canvas, measure it, and render
 * again. Steps keep their estimated size until that is painted: measuring earlier would render all of them twice.
 */
export const useDrawnAtOnce = (
  nodes: Shown[],
  edges: Edge[],
  size: BoardSize | undefined,
  view: Viewport | undefined,
) => {
  const store = useStoreApi<Shown>()
  useState(() => {
    if (!size?.width || !size.height || !view) return
    const { setNodes, setEdges } = store.getState()
    store.setState({ ...size, transform: [view.x, view.y, view.zoom] })
    measureOncePainted(store)
    setNodes(nodes)
    setEdges(edges)
  })
}
