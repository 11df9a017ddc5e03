import { useReactFlow, useStore } from '@xyflow/react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { addNote, movePlaces } from '../editor/draft/operations.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { wholeView } from './first-view.ts'
import { tidyPlaces } from './layout.ts'
import { Mark } from './mark.tsx'

export function CanvasTools({ graph }: { readonly graph: FlowGraph }) {
  const { t, i18n } = useTranslation('flows')
  const { change } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { zoomIn, zoomOut, zoomTo, fitView, screenToFlowPosition } = useReactFlow()
  const zoom = useStore(({ transform }) => transform[2])
  const note = () => {
    const board = document.querySelector('.flow-board')?.getBoundingClientRect()
    const at = board ? screenToFlowPosition({ x: board.left + 48, y: board.top + 72 }) : { x: 0, y: 0 }
    change(one => addNote(one, { x: Math.round(at.x), y: Math.round(at.y) }))
  }
  const tidy = () => {
    change(one => movePlaces(one, tidyPlaces(one)))
    requestAnimationFrame(() => void fitView(wholeView))
  }
  return (
    <div className="flow-canvas-tools">
      <button
        type="button"
        aria-label={t('canvas.zoomOut')}
        data-tip={t('canvas.zoomOut')}
        onClick={() => void zoomOut()}
      >
        <span aria-hidden="true">−</span>
      </button>
      <button type="button" className="flow-zoom" data-tip={t('canvas.zoomWhole')} onClick={() => void zoomTo(1)}>
        {new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(zoom)}
      </button>
      <button type="button" aria-label={t('canvas.zoomIn')} data-tip={t('canvas.zoomIn')} onClick={() => void zoomIn()}>
        <Icon name="plus" />
      </button>
      <button
        type="button"
        aria-label={t('canvas.fit')}
        data-tip={t('canvas.fit')}
        onClick={() => void fitView(wholeView)}
      >
        <Mark name="fit" />
      </button>
      {isReadOnly || graph.nodes.length < 2 ? null : (
        <button type="button" aria-label={t('canvas.tidy')} data-tip={t('canvas.tidy')} onClick={tidy}>
          <Mark name="tidy" />
        </button>
      )}
      {isReadOnly ? null : (
        <button type="button" aria-label={t('canvas.addNote')} data-tip={t('canvas.addNote')} onClick={note}>
          <Icon name="pencil" />
        </button>
      )}
    </div>
  )
}
