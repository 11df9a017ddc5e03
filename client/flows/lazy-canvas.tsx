import { type ComponentType, memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart } from '#client/missing-part.ts'
import type { CanvasProps } from './canvas.tsx'
import { Outline } from './outline.tsx'

/** The canvas comes when it is first shown; where it cannot be had, the list stands in its place. */
export const LazyCanvas = memo(function LazyCanvas(props: CanvasProps) {
  const { t } = useTranslation('flows')
  const [Loaded, setLoaded] = useState<ComponentType<CanvasProps> | 'failed'>()
  useEffect(() => {
    let isGone = false
    loadPart(() => import('./canvas.tsx')).then(
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
