import { type ComponentType, memo, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart } from '#client/missing-part.ts'
import type { default as Canvas, CanvasPlace, CanvasProps } from './canvas.tsx'
import { CanvasStill } from './canvas-still.tsx'
import { useEditorFacts } from './editor-context.ts'
import { Outline } from './outline.tsx'
import { Palette } from './palette.tsx'
import { beginsOnCanvas } from './use-view.ts'
import '@xyflow/react/dist/base.css'
import './canvas.css'

type CanvasPart = ComponentType<Parameters<typeof Canvas>[0]>

const load = () => loadPart(() => import('./canvas.tsx'))

/** Begun while the page comes to life, where the canvas is what it begins with. */
let early = typeof window !== 'undefined' && beginsOnCanvas() ? load() : undefined
early?.catch(() => undefined)

/**
 * The canvas comes when it is first shown; until it is drawn a picture of a large flow's beginning stands in its place.
 * Where it cannot be had, the list does.
 */
export const LazyCanvas = memo(function LazyCanvas(props: CanvasProps) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const [Loaded, setLoaded] = useState<CanvasPart | 'failed'>()
  const [isDrawn, setDrawn] = useState(false)
  const place = useRef<CanvasPlace>(null)
  const onDrawn = useCallback(() => setDrawn(true), [])
  useEffect(() => {
    let isGone = false
    const loading = early ?? load()
    early = undefined
    loading.then(
      module => isGone || setLoaded(() => module.default),
      () => isGone || setLoaded('failed'),
    )
    return () => {
      isGone = true
    }
  }, [])
  if (Loaded === 'failed')
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
      {isReadOnly ? null : (
        <Palette graph={props.graph} selected={props.selected} middle={() => place.current?.middle()} />
      )}
      <div className="flow-board">
        {Loaded ? <Loaded {...props} place={place} onDrawn={onDrawn} /> : null}
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
