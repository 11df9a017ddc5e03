import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Connection } from '#shared/numbers/api.ts'
import { refreshConnection } from './queries.ts'

const names = ['accessToken', 'appSecret'] as const
type Name = (typeof names)[number]

/** Errors of the whole call that belong to one field. */
const fieldOf: Readonly<Record<string, Name>> = {
  NUMBERS_TOKEN_REFUSED: 'accessToken',
  NUMBERS_PERMISSION_MISSING: 'accessToken',
  NUMBERS_APP_SECRET_REFUSED: 'appSecret',
}

interface TokenDialogProps {
  readonly connection: Connection
  onClose(): void
}

/** Replaces the token of a connected number. Meta checks it before it is stored. */
export default function TokenDialog({ connection, onClose }: TokenDialogProps) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [values, setValues] = useState<Record<Name, string>>({ accessToken: '', appSecret: '' })
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      const empty = names.filter(name => values[name].trim() === '')
      setMissing(empty)
      setError(undefined)
      if (empty.length) return
      const { phoneNumberId, wabaId } = connection
      try {
        await api.numbers.connect({
          body: { phoneNumberId, wabaId, accessToken: values.accessToken.trim(), appSecret: values.appSecret.trim() },
        })
      } catch (refused) {
        return setError(refused)
      }
      await refreshConnection(client, org.slug)
      toast(t('token.saved'), { kind: 'success' })
      onClose()
    })
  const blamed = isApiError(error) ? fieldOf[error.code] : undefined
  const faultBeside = (name: Name) => {
    if (missing.includes(name)) return t('token.required')
    return blamed === name ? failureText(error) : fieldFault(error, `body.${name}`)
  }
  const isBesideField = blamed !== undefined || names.some(name => fieldFault(error, `body.${name}`))
  return (
    <Modal title={t('token.title')} width={480} onClose={onClose}>
      <p className="lead">{t('token.text', { number: connection.displayPhone || connection.phone })}</p>
      <DialogForm
        confirm={isSaving ? t('token.checking') : t('token.save')}
        isWorking={isSaving}
        onSubmit={submit}
        onCancel={onClose}
      >
        {names.map(name => (
          <Field
            key={name}
            label={t(`token.field.${name}`)}
            hint={t(`token.hint.${name}`)}
            name={name}
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            value={values[name]}
            fault={faultBeside(name)}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        ))}
        {error && !isBesideField ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
