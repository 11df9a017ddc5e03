import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SsoOffer } from '#shared/auth/sso.ts'
import { paths } from '#shared/kernel/paths.ts'
import { SsoButton } from './sso-button.tsx'

interface SsoDemandedProps {
  /** Undefined: the provider was just deactivated. */
  readonly offer: SsoOffer | undefined
  /** The account to link to the provider. Undefined: the organization requires the provider. */
  readonly email?: string | undefined
  readonly returnTo: string | undefined
}

/** Shown to a signed-in person whose organization requires its provider, or who links their account to it. */
export function SsoDemanded({ offer, email, returnTo }: SsoDemandedProps) {
  const { t } = useTranslation('auth')
  return (
    <div className="stack">
      {offer ? (
        <>
          <div>
            <h1>{email ? t('sso.linkHeading', { name: offer.name }) : t('sso.heading', { name: offer.name })}</h1>
            <p className="lead">{email ? t('sso.linkText', { email, name: offer.name }) : t('sso.demanded')}</p>
          </div>
          <SsoButton
            offer={offer}
            {...(email ? { email } : {})}
            returnTo={returnTo}
            label={email ? t('sso.link', { name: offer.name }) : t('sso.go', { name: offer.name })}
          />
        </>
      ) : (
        <p className="lead">{t('sso.failure.inactive')}</p>
      )}
      <Link className="link" to={paths.organizations()}>
        {t('sso.others')}
      </Link>
    </div>
  )
}
