import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { sendCode } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { SsoOffer } from '#shared/auth/sso.ts'
import { SsoButton } from './sso-button.tsx'

interface SsoStepProps {
  readonly offer: SsoOffer
  readonly email: string
  readonly returnTo: string | undefined
  /** Called when the person chose a code, which has been mailed. */
  onCode(): void
  onOtherEmail(): void
}

/** The step of an address whose domain has an identity provider. */
export function SsoStep({ offer, email, returnTo, onCode, onOtherEmail }: SsoStepProps) {
  const { t } = useTranslation('auth')
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isSending, send] = useTransition()
  const { name, domain } = offer
  const heading = useRef<HTMLHeadingElement>(null)
  // The focused field is gone.
  useEffect(() => heading.current?.focus(), [])
  const withCode = () =>
    send(async () => {
      setFailure(undefined)
      try {
        await sendCode(email)
        onCode()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <div className="stack">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {t('sso.heading', { name })}
        </h1>
        <p className="lead">{t('sso.text', { name, domain })}</p>
      </div>
      <SsoButton offer={offer} email={email} returnTo={returnTo} label={t('sso.go', { name })} />
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="row-between">
        <button type="button" className="link" disabled={isSending} onClick={withCode}>
          {t('sso.withCode')}
        </button>
        <button type="button" className="link" disabled={isSending} onClick={onOtherEmail}>
          {t('code.otherEmail')}
        </button>
      </div>
    </div>
  )
}
