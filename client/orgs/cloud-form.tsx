import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiClient } from '#client/app/calls/api.ts'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import type { Connection } from '#shared/numbers/api.ts'

const names = ['phoneNumberId', 'wabaId', 'accessToken', 'appSecret'] as const
type Name = (typeof names)[number]
const secrets: readonly Name[] = ['accessToken', 'appSecret']

/** The four values from Meta, checked with the Graph API before they are stored. */
export function CloudForm({ api, onConnected }: { api: ApiClient; onConnected(connection: Connection): void }) {
  const { t } = useTranslation('orgs')
  const failureText = useFailureText()
  const [values, setValues] = useState<Record<Name, string>>({
    phoneNumberId: '',
    wabaId: '',
    accessToken: '',
    appSecret: '',
  })
  const [error, setError] = useState<unknown>()
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [isConnecting, connect] = useTransition()
  const submit = () =>
    connect(async () => {
      const empty = names.filter(name => values[name].trim() === '')
      setMissing(empty)
      setError(undefined)
      if (empty.length) return
      try {
        const body = Object.fromEntries(names.map(name => [name, values[name].trim()])) as Record<Name, string>
        onConnected(await api.numbers.connect({ body }))
      } catch (refused) {
        setError(refused)
      }
    })
  const fault = (name: Name) => (missing.includes(name) ? t('connect.required') : fieldFault(error, `body.${name}`))
  return (
    <form className="stack" noValidate action={submit}>
      {names.map(name => (
        <Field
          key={name}
          label={t(`connect.field.${name}`)}
          hint={t(`connect.hint.${name}`)}
          name={name}
          type={secrets.includes(name) ? 'password' : 'text'}
          inputMode={secrets.includes(name) ? undefined : 'numeric'}
          autoComplete="off"
          spellCheck={false}
          required
          value={values[name]}
          fault={fault(name)}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      ))}
      {error && !(isApiError(error) && error.details.length) ? <Fault>{failureText(error)}</Fault> : null}
      <button type="submit" className="button button-wide" disabled={isConnecting}>
        {isConnecting ? t('connect.checking') : t('connect.submit')}
      </button>
    </form>
  )
}
