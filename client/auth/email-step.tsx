import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { sendCode } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useEarlyInput } from '#client/ui/controls/early-input.ts'
import { Field } from '#client/ui/controls/field.tsx'
import type { SsoOffer } from '#shared/auth/sso.ts'

const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

interface EmailStepProps {
  onSent(email: string): void
  /** The address's domain has an identity provider. Absent: a code is used anyway. */
  onSso?(offer: SsoOffer, email: string): void
  /** The address of the username and password form. */
  readonly passwordAddress: string
}

export function EmailStep({ onSent, onSso, passwordAddress }: EmailStepProps) {
  const { t } = useTranslation('auth')
  const { site } = useFacts()
  const api = useApi()
  const failureText = useFailureText()
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const [isSending, send] = useTransition()
  const input = useRef<HTMLInputElement>(null)
  useEarlyInput(input, setEmail)
  // From the form, because a submit from before hydration is replayed.
  const submit = (form: FormData) =>
    send(async () => {
      const address = String(form.get('email') ?? '').trim()
      if (!looksLikeEmail(address)) return setFault(t('login.emailInvalid'))
      try {
        if (onSso) {
          const domain = address.slice(address.lastIndexOf('@') + 1)
          const { offer } = await api.sso.findOffer({ query: { domain } })
          if (offer) return onSso(offer, address)
        }
        await sendCode(address)
        onSent(address)
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form className="stack" noValidate action={submit}>
      <div>
        <h1>{site.empty ? t('login.firstTitle') : t('login.heading')}</h1>
        <p className="lead">{site.empty ? t('login.firstText') : t('login.text')}</p>
      </div>
      <Field
        ref={input}
        label={t('login.email')}
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={t('login.emailExample')}
        maxLength={254}
        required
        autoFocus
        value={email}
        fault={fault}
        onChange={({ target }) => {
          setEmail(target.value)
          setFault(undefined)
        }}
      />
      <button type="submit" className="button button-primary button-wide" disabled={isSending}>
        {isSending ? t('login.sending') : t('login.send')}
      </button>
      {site.empty ? null : (
        <Link className="link" to={passwordAddress}>
          {t('login.withPassword')}
        </Link>
      )}
    </form>
  )
}
