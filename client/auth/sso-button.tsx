import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { beginSso } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { SsoOffer } from '#shared/auth/sso.ts'

interface SsoButtonProps {
  readonly offer: SsoOffer
  /** The account to sign in with. Absent: the provider decides. */
  readonly email?: string
  readonly returnTo: string | undefined
  readonly label: string
}

/** Continues at an identity provider. */
export function SsoButton({ offer, email, returnTo, label }: SsoButtonProps) {
  const { t } = useTranslation('auth')
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)
  const [isAsking, ask] = useTransition()
  const go = () =>
    ask(async () => {
      setFailure(undefined)
      try {
        const { url } = await beginSso({ providerId: offer.providerId, email, callbackURL: returnTo })
        setLeaving(true)
        location.assign(url)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const isBusy = isAsking || isLeaving
  return (
    <>
      <button type="button" className="button button-primary button-wide" disabled={isBusy} onClick={go}>
        {isBusy ? t('sso.going') : label}
      </button>
      {failure ? <Fault>{failure}</Fault> : null}
    </>
  )
}
