import { useTranslation } from 'react-i18next'
import type { FlowNote } from '#shared/flow-graph.ts'
import { useEditorActions, useEditorFacts, useNow } from './editor-context.ts'
import { changeNote } from './operations.ts'

/** What the team wrote beside the steps; customers never see it. */
export function NoteField({ note, className }: { readonly note: FlowNote; readonly className?: string }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { text } = useNow(({ graph }) => graph.notes?.find(({ id }) => id === note.id) ?? note)
  return (
    <textarea
      className={className}
      rows={3}
      aria-label={t('canvas.noteText')}
      placeholder={t('canvas.noteEmpty')}
      maxLength={1000}
      readOnly={isReadOnly}
      value={text}
      onChange={({ target }) => change(graph => changeNote(graph, note.id, target.value), `note.${note.id}`)}
    />
  )
}
