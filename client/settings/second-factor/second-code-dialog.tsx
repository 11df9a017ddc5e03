import { useWork } from '#client/app/calls/use-work.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import './second-factor.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { twoFactor } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { secondFactorQuery } from '../account/account-queries.ts'
import { BackupCodes } from './backup-codes.tsx'
import { SecondCodeField } from './second-code-field.tsx'

/** Actions that need a code of the second factor: new backup codes, or disabling it. */
export default function SecondCodeDialog({ wants, onClose }: { wants: 'renew' | 'disable'; onClose(): void }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [code, setCode] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      const secondCode = code.trim()
      if (!secondCode) return setFault(t('secondFactor.secondCodeMissing'))
      try {
        if (wants === 'renew') setCodes((await twoFactor.renewBackupCodes(secondCode)).backupCodes)
        else {
          await twoFactor.disable(secondCode)
          toast(t('secondFactor.disabled'), { kind: 'success' })
          onClose()
        }
      } catch (error) {
        return setFault(fieldFault(error, 'body.secondCode') ?? failureText(error))
      }
      await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
    })
  return (
    <Modal title={t(codes ? 'secondFactor.codesTitle' : `secondFactor.${wants}Title`)} onClose={onClose}>
      {codes ? (
        <BackupCodes codes={codes} onKept={onClose} />
      ) : (
        <DialogForm
          confirm={t(`secondFactor.${wants}`)}
          isDanger={wants === 'disable'}
          isWorking={isWorking}
          onSubmit={submit}
          onCancel={onClose}
        >
          <p>{t(`secondFactor.${wants}Text`)}</p>
          <SecondCodeField
            value={code}
            fault={fault}
            onChange={next => {
              setCode(next)
              setFault(undefined)
            }}
          />
        </DialogForm>
      )}
    </Modal>
  )
}
