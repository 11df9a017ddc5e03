import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { verifySsoDomain } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { SsoProvider } from '#shared/auth/sso.ts'
import { SsoByMail } from './by-mail.tsx'

interface SsoVerificationProps {
  readonly provider: SsoProvider
  onVerified(): Promise<unknown>
}

/** Shows the ways in which an organization can prove that it owns a domain. */
export function SsoVerification({ provider, onVerified }: SsoVerificationProps) {
  const { t } = useTranslation('admin')
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isChecking, check] = useTransition()
  const { domain, name, domainRecord } = provider
  const finish = async () => {
    toast(t('sso.verified', { domain, name }), { kind: 'success' })
    await onVerified()
  }
  const verify = () =>
    check(async () => {
      setFailure(undefined)
      try {
        await verifySsoDomain(provider.id)
        await finish()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const isByMail = provider.domainProof === 'mail'
  const parts = [
    { label: t('sso.recordName'), value: domainRecord.name },
    { label: t('sso.recordValue'), value: domainRecord.value },
  ]
  return (
    <section className="notice notice-warn sso-verification">
      <strong>{isByMail ? t('sso.proveTitle', { domain }) : t('sso.verifyTitle', { domain })}</strong>
      <p>{isByMail ? t('sso.proveText', { domain }) : t('sso.verifyText')}</p>
      <dl>
        {parts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="sso-copy line">
              <code>{value}</code>
              <CopyButton
                value={value}
                label={t('sso.copyOf', { name: label })}
                done={t('sso.copied')}
                failed={t('sso.copyFailed')}
              />
            </dd>
          </div>
        ))}
      </dl>
      {failure ? <Fault>{failure}</Fault> : null}
      <button type="button" className="button" aria-disabled={isChecking} onClick={() => isChecking || verify()}>
        {isChecking ? t('sso.verifying') : t('sso.verify')}
      </button>
      {isByMail ? null : <SsoByMail provider={provider} onVerified={finish} />}
    </section>
  )
}
