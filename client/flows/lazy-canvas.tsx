import { type ComponentType, memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart } from '#client/missing-part.ts'
import type { CanvasProps } from './canvas.tsx'
import { Outline } from './outline.tsx'
import { beginsOnCanvas } from './use-view.ts'

const load = () => loadPart(() => import('./canvas.tsx'))

/** Begun while the page comes to life, where the canvas is what it begins with. */
let early = typeof window !== 'undefined' && beginsOnCanvas() ? load() : undefined
early?.catch(() => undefined)

/** The canvas comes when it is first shown; where it cannot be had, the list stands in its place. */
export const LazyCanvas = memo(function LazyCanvas(props: CanvasProps) {
  const { t } = useTranslation('flows')
  const [Loaded, setLoaded] = useState<ComponentType<CanvasProps> | 'failed'>()
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
  return Loaded ? <Loaded {...props} /> : <div className="flow-canvas" role="status" aria-label={t('canvas.loading')} />
})
