import {
  type ComponentType,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { Outline } from '../outline/outline.tsx'
import type { default as Canvas, CanvasProps } from './canvas.tsx'
import { CanvasStill } from './canvas-still.tsx'
import type { BoardSize } from './first-drawing.ts'
import { beginsOnCanvas } from './use-view.ts'
import '@xyflow/react/dist/base.css'
import './card.css'
import './canvas.css'

type CanvasPart = ComponentType<Parameters<typeof Canvas>[0]>

/** Set once it is loaded. */
let part: CanvasPart | undefined
const waiting = new Set<() => void>()
const load = async (): Promise<void> => {
  if (part) return
  part = (await loadPart(() => import('./canvas.tsx'))).default
  for (const tell of [...waiting]) tell()
}

/** Starts loading during hydration if the page opens with the canvas. */
let early = typeof window !== 'undefined' && beginsOnCanvas() ? load() : undefined
early?.catch(() => undefined)

const subscribe = (tell: () => void) => {
  waiting.add(tell)
  return () => void waiting.delete(tell)
}
/** The first HTML is hydrated before; afterwards it renders at once. */
const useLoaded = (): CanvasPart | undefined =>
  useSyncExternalStore(
    subscribe,
    () => part,
    () => undefined,
  )

/**
 * Loads the canvas when it is first shown; until it is rendered, a still picture of a large flow's beginning takes its
 * place. If loading fails, the outline is shown.
 */
export const LazyCanvas = memo(function LazyCanvas(props: CanvasProps) {
  const { t } = useTranslation('flows')
  const Loaded = useLoaded()
  const [hasFailed, setFailed] = useState(false)
  const [isDrawn, setDrawn] = useState(false)
  const board = useRef<HTMLDivElement>(null)
  const size = useRef<BoardSize>(undefined)
  // Before any change, so that reading it forces no layout.
  useLayoutEffect(() => {
    size.current ??= board.current
      ? { width: board.current.clientWidth, height: board.current.clientHeight }
      : undefined
  }, [])
  const onDrawn = useCallback(() => setDrawn(true), [])
  useEffect(() => {
    let isGone = false
    const begun = early ?? load()
    early = undefined
    begun.catch(() => isGone || setFailed(true))
    return () => {
      isGone = true
    }
  }, [])
  if (hasFailed)
    return (
      <div className="flow-canvas-failed">
        <p className="notice notice-warn" role="alert">
          {t('canvas.failed')}
        </p>
        <Outline graph={props.graph} selected={props.selected} />
      </div>
    )
  return (
    <div className="flow-canvas">
      <div className="flow-board" ref={board} data-first="">
        {Loaded ? <Loaded {...props} size={size} onDrawn={onDrawn} /> : null}
        {isDrawn ? null : (
          <>
            <CanvasStill graph={props.graph} />
            <span className="sr-only" role="status">
              {t('canvas.loading')}
            </span>
          </>
        )}
      </div>
    </div>
  )
})
