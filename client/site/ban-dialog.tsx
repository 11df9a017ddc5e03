import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { siteAdmin } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { banReasonMaxChars, type SitePerson } from '#shared/site/api.ts'

const daySeconds = 86_400
const days = ['0', '1', '7', '30'] as const

interface BanDialogProps {
  readonly person: SitePerson
  onDone(text: string): Promise<void>
  onClose(): void
}

/** Bans a person, with reason and duration. */
export default function BanDialog({ person, onDone, onClose }: BanDialogProps) {
  const { t } = useTranslation('site')
  const id = useId()
  const failureText = useFailureText()
  const [reason, setReason] = useState('')
  const [length, setLength] = useState<(typeof days)[number]>('0')
  const [missing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const { name } = person
  const submit = () =>
    work(async () => {
      setFailure(undefined)
      setMissing(!reason.trim())
      if (!reason.trim()) return
      try {
        await siteAdmin.ban(person.id, reason.trim(), length === '0' ? null : Number(length) * daySeconds)
      } catch (error) {
        return setFailure(failureText(error))
      }
      onClose()
      await onDone(t('ask.ban.done', { name }))
    })
  return (
    <Modal title={t('ask.ban.title', { name })} onClose={onClose}>
      <DialogForm confirm={t('ask.ban.confirm')} isDanger isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <p className="lead">{t('ask.ban.says')}</p>
        <Field
          label={t('ask.ban.reason')}
          hint={t('ask.ban.reasonHint')}
          value={reason}
          maxLength={banReasonMaxChars}
          fault={missing ? t('ask.ban.reasonMissing') : undefined}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="field">
          <label htmlFor={id}>{t('ask.ban.length')}</label>
          <select id={id} value={length} onChange={({ target }) => setLength(target.value as (typeof days)[number])}>
            {days.map(one => (
              <option key={one} value={one}>
                {t(`ask.ban.days.${one}`)}
              </option>
            ))}
          </select>
        </div>
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
