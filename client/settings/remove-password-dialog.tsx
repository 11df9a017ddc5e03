import './password.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { faultOf } from '../api-error.ts'
import { Modal } from '../ui/mui-dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { useApi, useFailureText } from '../use-api.ts'
import { passwordQuery } from './password-card.tsx'
import { type ProofDraft, ProofField, proofOf } from './proof-field.tsx'

/** Takes username and password away; what stays is the code by mail. */
export default function RemovePasswordDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [draft, setDraft] = useState<ProofDraft>({ way: 'password', text: '' })
  const [fault, setFault] = useState<string>()
  const [isRemoving, remove] = useTransition()
  const submit = () =>
    remove(async () => {
      const body = proofOf(draft)
      if (!body) return setFault(t('password.proofMissing'))
      try {
        await api.passwords.removePasswordSignIn({ body })
        toast(t('password.removed'), { kind: 'success' })
      } catch (error) {
        return setFault(faultOf(error, 'body.currentPassword') ?? faultOf(error, 'body.code') ?? failureText(error))
      }
      onClose()
      await client.invalidateQueries({ queryKey: passwordQuery.queryKey })
    })
  return (
    <Modal title={t('password.remove')} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!isRemoving) submit()
        }}
      >
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
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {common('cancel')}
          </button>
          <button type="submit" className="button button-danger" aria-disabled={isRemoving}>
            {t('password.remove')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
