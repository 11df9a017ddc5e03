import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { faultOf } from '#client/api-error.ts'
import { DialogForm } from '#client/ui/dialog-form.tsx'
import { Fault, Field } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import type { Contact } from '#shared/contacts.ts'
import { type ErasureReason, erasureReasons } from '#shared/erasures.ts'

interface ErasureDialogProps {
  readonly phone: string
  readonly contact: Contact
  onErased(): Promise<void>
  onClose(): void
}

/** What has to be typed: the number, and of who hides it the name they are shown by. */
const confirmationOf = ({ identifiers, name, profileName }: Contact): string =>
  identifiers.find(({ kind }) => kind === 'phone')?.shown ?? name ?? profileName ?? identifiers[0]?.shown ?? ''

/** Has the number of a contact typed before they are taken out of everything there is. */
export default function ErasureDialog({ phone, contact, onErased, onClose }: ErasureDialogProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const api = useApi()
  const failureText = useFailureText()
  const [reason, setReason] = useState<ErasureReason>('asked')
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<unknown>()
  const [isWorking, work] = useTransition()
  const confirmation = confirmationOf(contact)
  const submit = () =>
    work(async () => {
      setError(undefined)
      try {
        await api.erasures.eraseContact({ params: { phone }, body: { reason, confirm: typed.trim() || '?' } })
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('erasure.begun'), { kind: 'success' })
      await onErased()
    })
  const isMistyped = faultOf(error, 'body.confirm') !== undefined
  return (
    <Modal title={t('erasure.ask')} onClose={onClose}>
      <DialogForm confirm={t('erasure.confirm')} isDanger isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <ul className="consequences">
          <li>{t('erasure.goes')}</li>
          <li>{t('erasure.outgoing')}</li>
          <li>{t('erasure.stays')}</li>
          <li>{t('erasure.forGood')}</li>
        </ul>
        <div className="field">
          <label htmlFor={id}>{t('erasure.why')}</label>
          <select id={id} value={reason} onChange={({ target }) => setReason(target.value as ErasureReason)}>
            {erasureReasons.map(one => (
              <option key={one} value={one}>
                {t(`erasure.reason.${one}`)}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={t('erasure.type', { confirmation })}
          value={typed}
          maxLength={100}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          fault={isMistyped ? t('erasure.mistyped', { confirmation }) : undefined}
          onChange={({ target }) => setTyped(target.value)}
        />
        {error && !isMistyped ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
