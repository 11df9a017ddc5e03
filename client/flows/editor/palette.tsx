import { useTranslation } from 'react-i18next'
import { NodeIcon } from '#client/flows/canvas/node-icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import { type AddableType, addableTypes, nextPlace } from './draft.ts'
import { useEditorActions } from './editor-context.ts'

const dragType = 'application/x-recado-step'

/** The kind of step dragged over the canvas; undefined: something else is dragged. */
export const draggedType = ({ dataTransfer }: { readonly dataTransfer: DataTransfer }): AddableType | undefined =>
  addableTypes.find(one => one === dataTransfer.getData(dragType))

interface PaletteProps {
  readonly graph: FlowGraph
  readonly selected: readonly string[]
  /** The centre of the visible part; undefined: nothing is rendered yet. */
  middle(): { readonly x: number; readonly y: number } | undefined
}

/** Kinds of step: a click adds one after the selected step, a drag places it. */
export function Palette({ graph, selected, middle }: PaletteProps) {
  const { t } = useTranslation('flows')
  const { add } = useEditorActions()
  const press = (type: AddableType) => {
    const only = selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined
    const place = only && nextPlace(graph, only)
    if (place) add(type, place)
    else add(type, undefined, middle())
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
