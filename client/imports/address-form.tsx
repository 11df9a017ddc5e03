import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { chatImportsQuery } from './queries.ts'

const empty = { address: '', token: '' }
const names = ['address', 'token'] as const
type Name = (typeof names)[number]

/** Begins to fetch an account of Chatwoot from its address. */
export function AddressForm({ onBegun }: { onBegun(id: string): void }) {
  const { t } = useTranslation('imports')
  const { slug } = useOrg()
  const id = useId()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [values, setValues] = useState(empty)
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [error, setError] = useState<unknown>()
  const [isChecking, work] = useWork()
  const submit = () =>
    work(async () => {
      const left = names.filter(name => values[name].trim() === '')
      setMissing(left)
      setError(undefined)
      if (left.length) return
      let begun: string
      try {
        begun = (await api.imports.create({ body: { source: 'chatwoot', from: values } })).id
      } catch (refused) {
        return setError(refused)
      }
      setValues(empty)
      await client.invalidateQueries({ queryKey: chatImportsQuery(slug).queryKey })
      onBegun(begun)
    })
  const faultBeside = (name: Name) =>
    missing.includes(name) ? t('choose.address.required') : fieldFault(error, `body.from.${name}`)
  const isBeside = names.some(name => fieldFault(error, `body.from.${name}`) !== undefined)
  return (
    <form
      className="stack"
      aria-labelledby={`${id}-title`}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isChecking) submit()
      }}
    >
      <h3 id={`${id}-title`} className="import-way">
        {t('choose.address.title')}
      </h3>
      <p className="import-who">{t('choose.address.hint')}</p>
      <div className="import-map">
        <Field
          label={t('choose.address.url')}
          hint={t('choose.address.urlHint')}
          type="url"
          inputMode="url"
          name="chatwoot-address"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          required
          value={values.address}
          fault={faultBeside('address')}
          onChange={({ target }) => setValues({ ...values, address: target.value })}
        />
        <Field
          label={t('choose.address.token')}
          hint={t('choose.address.tokenHint')}
          type="password"
          name="chatwoot-token"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          required
          value={values.token}
          fault={faultBeside('token')}
          onChange={({ target }) => setValues({ ...values, token: target.value })}
        />
      </div>
      {error && !isBeside ? <Fault>{failureText(error)}</Fault> : null}
      <div className="card-buttons">
        <button type="submit" className="button button-primary" aria-disabled={isChecking}>
          {t(isChecking ? 'choose.address.checking' : 'choose.address.fetch')}
        </button>
      </div>
    </form>
  )
}
