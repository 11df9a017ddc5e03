import { useWork } from '#client/app/calls/use-work.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import './password.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { passwordQuery } from './account-queries.ts'
import { type ProofDraft, ProofField, proofOf } from './proof-field.tsx'

/** Removes username and password. Sign-in by mailed code stays. */
export default function RemovePasswordDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [draft, setDraft] = useState<ProofDraft>({ way: 'password', text: '' })
  const [fault, setFault] = useState<string>()
  const [isRemoving, remove] = useWork()
  const submit = () =>
    remove(async () => {
      const body = proofOf(draft)
      if (!body) return setFault(t('password.proofMissing'))
      try {
        await api.passwords.removePasswordSignIn({ body })
        toast(t('password.removed'), { kind: 'success' })
      } catch (error) {
        return setFault(
          fieldFault(error, 'body.currentPassword') ?? fieldFault(error, 'body.code') ?? failureText(error),
        )
      }
      onClose()
      await client.invalidateQueries({ queryKey: passwordQuery.queryKey })
    })
  return (
    <Modal title={t('password.remove')} onClose={onClose}>
      <DialogForm confirm={t('password.remove')} isDanger isWorking={isRemoving} onSubmit={submit} onCancel={onClose}>
        <p>{t('password.removeText')}</p>
        <ProofField
          draft={draft}
          hasPassword
          fault={fault}
          onChange={next => {
            setDraft(next)
            setFault(undefined)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
