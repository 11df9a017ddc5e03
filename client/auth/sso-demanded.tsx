import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import type { SsoOffer } from '#shared/sso.ts'
import { SsoButton } from './sso-button.tsx'

interface SsoDemandedProps {
  /** Undefined: the provider was switched off in this moment. */
  readonly offer: SsoOffer | undefined
  readonly returnTo: string | undefined
}

/** For somebody who is signed in, but not by the provider that their organization demands. */
export function SsoDemanded({ offer, returnTo }: SsoDemandedProps) {
  const { t } = useTranslation('auth')
  return (
    <div className="stack">
      {offer ? (
        <>
          <div>
            <h1>{t('sso.heading', { name: offer.name })}</h1>
            <p className="lead">{t('sso.demanded')}</p>
          </div>
          <SsoButton offer={offer} returnTo={returnTo} label={t('sso.go', { name: offer.name })} />
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
