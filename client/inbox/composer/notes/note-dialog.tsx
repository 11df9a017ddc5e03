import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import { noteMaxChars } from '#shared/kernel/limits.ts'
import { isSeen } from '#shared/kernel/plain-name.ts'
import { storeNote } from './store-note.ts'

interface NoteDialogProps {
  readonly org: string
  readonly phone: string
  readonly note: Message
  /** Called with the stored note. */
  onChanged(note: Message): void
  onClose(): void
}

/** Edits or deletes one's own note, or deletes another person's. */
export default function NoteDialog({ org, phone, note, onChanged, onClose }: NoteDialogProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const isOwn = note.note?.authorId === useViewer().user.id
  const [text, setText] = useState(note.text)
  const [fault, setFault] = useState('')
  const [isWorking, work] = useWork()
  const run = (change: () => Promise<Message>) =>
    work(async () => {
      setFault('')
      try {
        onChanged(await change())
        onClose()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  const remove = () => run(() => api.notes.deleteNote({ params: { phone, noteId: note.id } }))
  const save = () =>
    isSeen(text)
      ? run(() => storeNote(client, { org, phone, text: text.trim(), noteId: note.id }, ''))
      : setFault(t('note.empty'))
  return (
    <Modal title={t(isOwn ? 'note.editTitle' : 'note.deleteTitle')} onClose={onClose}>
      <DialogForm
        confirm={t(isOwn ? 'note.save' : 'note.delete')}
        isDanger={!isOwn}
        isWorking={isWorking}
        onSubmit={isOwn ? save : remove}
        onCancel={onClose}
      >
        {isOwn ? (
          <div className="field">
            <label htmlFor={id}>{t('note.label')}</label>
            <textarea
              dir="auto"
              id={id}
              rows={5}
              maxLength={noteMaxChars}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </div>
        ) : (
          <p className="note-quoted" dir="auto">
            {note.text}
          </p>
        )}
        {fault ? <Fault>{fault}</Fault> : null}
        {isOwn ? (
          <button type="button" className="button note-delete" aria-disabled={isWorking} onClick={remove}>
            <Icon name="trash" />
            {t('note.delete')}
          </button>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
