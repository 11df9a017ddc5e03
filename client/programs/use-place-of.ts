import { useTranslation } from 'react-i18next'

/**
 * Returns the place that a program's answers go to, in words: a host, the own computer, or an app by the scheme of its
 * address.
 */
export function usePlaceOf(): (host: string) => string {
  const { t } = useTranslation('programs')
  return host => {
    if (host === 'localhost') return t('local', { host })
    return host.endsWith(':') ? t('app', { scheme: host.slice(0, -1) }) : host
  }
}
