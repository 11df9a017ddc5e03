import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type ErasureReason, erasureReasons } from '#shared/erasures/api.ts'

interface ErasureDialogProps {
  readonly phone: string
  /** The text to type: the number, or the displayed name if it is hidden. */
  readonly confirmation: string
  onErased(): Promise<void>
  onClose(): void
}

/** Confirms an erasure by typing the contact's number. */
export default function ErasureDialog({ phone, confirmation, onErased, onClose }: ErasureDialogProps) {
  const { t } = useTranslation('erasures')
  const id = useId()
  const api = useApi()
  const failureText = useFailureText()
  const [reason, setReason] = useState<ErasureReason>('asked')
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      setError(undefined)
      try {
        await api.erasures.eraseContact({ params: { phone }, body: { reason, confirm: typed.trim() || '?' } })
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('begun'), { kind: 'success' })
      await onErased()
    })
  const isMistyped = fieldFault(error, 'body.confirm') !== undefined
  return (
    <Modal title={t('ask')} onClose={onClose}>
      <DialogForm confirm={t('confirm')} isDanger isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <ul className="consequences">
          <li>{t('goes')}</li>
          <li>{t('outgoing')}</li>
          <li>{t('stays')}</li>
          <li>{t('forGood')}</li>
        </ul>
        <div className="field">
          <label htmlFor={id}>{t('why')}</label>
          <select id={id} value={reason} onChange={({ target }) => setReason(target.value as ErasureReason)}>
            {erasureReasons.map(one => (
              <option key={one} value={one}>
                {t(`reason.${one}`)}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={t('type', { confirmation })}
          value={typed}
          maxLength={100}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          fault={isMistyped ? t('mistyped', { confirmation }) : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
        {error && !isMistyped ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
