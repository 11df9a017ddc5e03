import { useReactFlow } from '@xyflow/react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import type { FlowGraph } from '#shared/flow-graph.ts'
import { type AddableType, addableTypes, edgeAt, mainOutput } from './draft.ts'
import { useEditorActions, useEditorFacts } from './editor-context.ts'
import { wholeView } from './first-view.ts'
import { tidyPlaces } from './layout.ts'
import { Mark } from './mark.tsx'
import { NodeIcon } from './node-icon.tsx'
import { addNote, movePlaces } from './operations.ts'

const dragType = 'application/x-recado-step'

/** The kind of step that is dragged over the canvas; undefined: something else is. */
export const draggedType = ({ dataTransfer }: { readonly dataTransfer: DataTransfer }): AddableType | undefined =>
  addableTypes.find(one => one === dataTransfer.getData(dragType))

/** Kinds of step: pressed they follow the chosen one, dragged they stand where they are dropped. */
export function Palette({ graph, selected }: { readonly graph: FlowGraph; readonly selected: readonly string[] }) {
  const { t } = useTranslation('flows')
  const { add } = useEditorActions()
  const { screenToFlowPosition } = useReactFlow()
  const press = (type: AddableType) => {
    const only = selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined
    const output = only && mainOutput(only)
    const place = only && output ? { from: only.id, output } : undefined
    if (place && !edgeAt(graph, place)) return add(type, place)
    const view = document.querySelector('.flow-canvas')?.getBoundingClientRect()
    add(
      type,
      undefined,
      view && screenToFlowPosition({ x: view.left + view.width / 2 - 140, y: view.top + view.height / 2 - 60 }),
    )
  }
  return (
    <fieldset className="flow-palette">
      <legend className="sr-only">{t('canvas.palette')}</legend>
      {addableTypes.map(type => (
        <button
          key={type}
          type="button"
          draggable
          data-tip={t(`nodeHint.${type}`)}
          onClick={() => press(type)}
          onDragStart={event => {
            event.dataTransfer.setData(dragType, type)
            event.dataTransfer.effectAllowed = 'move'
          }}
        >
          <NodeIcon type={type} />
          {t(`node.${type}`)}
        </button>
      ))}
    </fieldset>
  )
}

export function CanvasTools({ graph }: { readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { zoomIn, zoomOut, fitView, screenToFlowPosition } = useReactFlow()
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
      <button type="button" aria-label={t('canvas.zoomIn')} data-tip={t('canvas.zoomIn')} onClick={() => void zoomIn()}>
        <Icon name="plus" />
      </button>
      <button
        type="button"
        aria-label={t('canvas.zoomOut')}
        data-tip={t('canvas.zoomOut')}
        onClick={() => void zoomOut()}
      >
        <span aria-hidden="true">−</span>
      </button>
      <button
        type="button"
        aria-label={t('canvas.fit')}
        data-tip={t('canvas.fit')}
        onClick={() => void fitView(wholeView)}
      >
        <Icon name="screen" />
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
