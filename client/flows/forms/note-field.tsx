import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowNote } from '#shared/flows/graph.ts'
import { changeNote } from '../editor/draft/operations.ts'
import { useEditorActions, useEditorFacts, useNow } from '../editor/editor-context.ts'
import { useTyped } from '../editor/use-typed.ts'
import { OwnForm } from './own-form.tsx'

/** A note of the team beside the steps; customers never see it. */
export function NoteField({ note, className }: { readonly note: FlowNote; readonly className?: string }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { text } = useNow(({ graph }) => graph.notes?.find(({ id }) => id === note.id) ?? note)
  const typed = useTyped<HTMLTextAreaElement>(text, written =>
    change(graph => changeNote(graph, note.id, written), `note.${note.id}`),
  )
  const formId = useId()
  return (
    <>
      <textarea
        dir="auto"
        ref={typed.ref}
        className={className}
        form={formId}
        rows={3}
        aria-label={t('canvas.noteText')}
        placeholder={t('canvas.noteEmpty')}
        maxLength={1000}
        readOnly={isReadOnly}
        defaultValue={typed.defaultValue}
        onChange={({ target }) => typed.change(target.value)}
        onBlur={typed.leave}
      />
      <OwnForm id={formId} />
    </>
  )
}
