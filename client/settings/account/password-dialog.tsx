import { useWork } from '#client/app/calls/use-work.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import './password.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { isUsername, passwordFault, passwordMax, usernameMax } from '#shared/auth/password-rules.ts'
import type { PasswordSignIn } from '#shared/auth/passwords.ts'
import { passwordQuery } from './account-queries.ts'
import { type ProofDraft, ProofField, proofOf } from './proof-field.tsx'
import { sessionsQuery } from './sessions.tsx'

interface Faults {
  readonly username?: string
  readonly password?: string
  readonly proof?: string
  readonly form?: string
}

interface PasswordDialogProps {
  readonly current: PasswordSignIn
  onClose(): void
}

/** Sets username and password, after confirming the person's identity. */
export default function PasswordDialog({ current, onClose }: PasswordDialogProps) {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { hasPassword } = current
  const [username, setUsername] = useState(current.username ?? '')
  const [password, setPassword] = useState('')
  const [endOthers, setEndOthers] = useState(true)
  const [draft, setDraft] = useState<ProofDraft>({ way: hasPassword ? 'password' : 'code', text: '' })
  const [faults, setFaults] = useState<Faults>({})
  const [isSaving, save] = useWork()

  const clear = (name: keyof Faults) => setFaults(all => ({ ...all, [name]: undefined, form: undefined }))
  const faultsOf = (name: string): Faults => {
    const weak =
      password === '' && hasPassword ? undefined : passwordFault(password, [user.name, user.email, name.toLowerCase()])
    return {
      username: isUsername(name) ? undefined : t('password.usernameInvalid'),
      password: weak && t(weak === 'guessable' ? 'password.guessable' : 'password.short'),
      proof: proofOf(draft) ? undefined : t('password.proofMissing'),
    }
  }
  const submit = () =>
    save(async () => {
      const name = username.trim()
      const found = faultsOf(name)
      setFaults(found)
      if (found.username || found.password || found.proof) return
      const body = { username: name, endOthers, ...(password ? { password } : {}), ...proofOf(draft) }
      try {
        await api.passwords.setPasswordSignIn({ body })
        toast(t('password.saved'), { kind: 'success' })
      } catch (error) {
        const named = {
          username: fieldFault(error, 'body.username'),
          password: fieldFault(error, 'body.password'),
          proof: fieldFault(error, 'body.currentPassword') ?? fieldFault(error, 'body.code'),
        }
        const isNamed = Object.values(named).some(Boolean)
        return setFaults(isNamed ? named : { form: failureText(error) })
      }
      onClose()
      await client.invalidateQueries({ queryKey: passwordQuery.queryKey })
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    })
  return (
    <Modal title={hasPassword ? t('password.change') : t('password.add')} onClose={onClose}>
      <DialogForm confirm={t('save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        <Field
          label={t('password.username')}
          hint={t('password.usernameHint')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={usernameMax}
          required
          value={username}
          fault={faults.username}
          onChange={({ target }) => {
            setUsername(target.value)
            clear('username')
          }}
        />
        <Field
          label={hasPassword ? t('password.newOptional') : t('password.new')}
          hint={hasPassword ? `${t('password.newHint')} ${t('password.keepHint')}` : t('password.newHint')}
          name="password"
          type="password"
          autoComplete="new-password"
          maxLength={passwordMax}
          required={!hasPassword}
          value={password}
          fault={faults.password}
          onChange={({ target }) => {
            setPassword(target.value)
            clear('password')
          }}
        />
        <ProofField
          draft={draft}
          hasPassword={hasPassword}
          fault={faults.proof}
          onChange={next => {
            setDraft(next)
            clear('proof')
          }}
        />
        <label className="check">
          <input type="checkbox" checked={endOthers} onChange={({ target }) => setEndOthers(target.checked)} />
          {t('password.endOthers')}
        </label>
        {faults.form ? <Fault>{faults.form}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
