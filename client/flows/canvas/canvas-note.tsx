import type { Node, NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowNote } from '#shared/flows/graph.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { NoteField } from '../forms/note-field.tsx'

export type CanvasNote = Node<{ readonly note: FlowNote }, 'note'>

/** A note on the canvas: dragged by its header, edited in its body. */
export const CanvasNoteView = memo(function CanvasNoteView({ data, selected }: NodeProps<CanvasNote>) {
  const { t } = useTranslation('flows')
  const { remove } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  return (
    <div className="flow-note" data-selected={selected}>
      <div className="flow-note-head">
        <b>{t('canvas.note')}</b>
        {isReadOnly ? null : (
          <button
            type="button"
            className="icon-button nodrag"
            aria-label={t('canvas.removeNote')}
            onClick={() => remove([data.note.id])}
          >
            <Icon name="trash" />
          </button>
        )}
      </div>
      <NoteField note={data.note} className="nodrag nowheel nopan" />
    </div>
  )
})
