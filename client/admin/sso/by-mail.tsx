import { type FormEvent, useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { verifySsoDomain } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { domainMailboxes, type SsoProvider } from '#shared/auth/sso.ts'

interface SsoByMailProps {
  readonly provider: SsoProvider
  onVerified(): Promise<unknown>
}

/** Verifies the domain by a code mailed to its administrator, instead of a DNS record. */
export function SsoByMail({ provider, onVerified }: SsoByMailProps) {
  const { t } = useTranslation('admin')
  const api = useApi()
  const failureText = useFailureText()
  const [mailbox, setMailbox] = useState<(typeof domainMailboxes)[number]>('admin')
  const [sent, setSent] = useState<{ readonly to: string; readonly hours: number }>()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const [isSending, startSending] = useTransition()
  const id = useId()
  const { domain } = provider

  const send = () =>
    startSending(async () => {
      setFailure(undefined)
      try {
        setSent(await api.sso.sendDomainCode({ body: { providerId: provider.id, mailbox } }))
        setCode('')
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const verify = (event: FormEvent) => {
    event.preventDefault()
    if (isWorking) return
    if (!code.trim()) return setFault(t('sso.codeMissing'))
    work(async () => {
      setFault(undefined)
      setFailure(undefined)
      try {
        await verifySsoDomain(provider.id, code.trim())
        await onVerified()
      } catch (error) {
        const named = fieldFault(error, 'body.code')
        if (named) setFault(named)
        else setFailure(failureText(error))
      }
    })
  }
  return (
    <div className="sso-by-mail">
      <strong>{t('sso.byMail')}</strong>
      <p>{t('sso.byMailText', { domain })}</p>
      <div className="field">
        <label htmlFor={id}>{t('sso.mailbox')}</label>
        <select id={id} value={mailbox} onChange={event => setMailbox(event.target.value as typeof mailbox)}>
          {domainMailboxes.map(name => (
            <option key={name} value={name} dir="auto">
              {`${name}@${domain}`}
            </option>
          ))}
        </select>
      </div>
      <button type="button" className="button" aria-disabled={isSending} onClick={() => isSending || send()}>
        {isSending ? t('sso.sendingCode') : t('sso.sendCode')}
      </button>
      {failure ? <Fault>{failure}</Fault> : null}
      {sent ? (
        <form className="sso-by-mail" onSubmit={verify} noValidate>
          <p role="status">{t('sso.codeSent', { to: sent.to, hours: sent.hours })}</p>
          <Field
            label={t('sso.code')}
            value={code}
            autoComplete="one-time-code"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={64}
            fault={fault}
            onChange={event => setCode(event.target.value)}
          />
          <button type="submit" className="button" aria-disabled={isWorking}>
            {isWorking ? t('sso.verifying') : t('sso.verifyCode')}
          </button>
        </form>
      ) : null}
    </div>
  )
}
