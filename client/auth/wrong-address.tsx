import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'

/** Replaces the login page at an address from which the server accepts no calls. */
export function WrongAddress({ address }: { address: string }) {
  const { t } = useTranslation('auth')
  const { pathname, search } = useLocation()
  return (
    <div className="stack" role="alert">
      <div>
        <h1>{t('wrongAddress.heading')}</h1>
        <p className="lead">{t('wrongAddress.text', { address })}</p>
      </div>
      <a className="button button-primary button-wide" href={address + pathname + search}>
        {t('wrongAddress.go')}
      </a>
    </div>
  )
}
