import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Flow } from '#shared/flows/api.ts'

interface PublishDialogProps {
  readonly flow: Flow
  readonly warnings: number
  revision(): number
  onPublished(flow: Flow): void
  onClose(): void
}

/** Publishes the draft; the note is stored with the version. */
export default function PublishDialog({ flow, warnings, revision, onPublished, onClose }: PublishDialogProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const failureText = useFailureText()
  const id = useId()
  const [note, setNote] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const isSame = !flow.hasChanges && revision() === flow.revision
  const submit = () =>
    work(async () => {
      setFailure(undefined)
      try {
        const body = { revision: revision(), ...(note.trim() ? { note: note.trim() } : {}) }
        onPublished(await api.flows.publish({ params: { id: flow.id }, body }))
        toast(t('publish.done'), { kind: 'success' })
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Modal title={t('publish.title')} onClose={onClose}>
      <DialogForm confirm={t('publish.confirm')} isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <p>{t(flow.published === null ? 'publish.first' : isSame ? 'publish.same' : 'publish.again')}</p>
        {warnings ? <p className="field-hint">{t('publish.warnings', { count: warnings })}</p> : null}
        <div className="field">
          <label htmlFor={id}>{t('publish.note')}</label>
          <textarea
            dir="auto"
            id={id}
            rows={2}
            maxLength={500}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
