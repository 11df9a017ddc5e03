import { useTranslation } from 'react-i18next'

/**
 * Names the destination that a program's answers go to, in words: a host, the own computer, or an app by the scheme of
 * its address.
 */
export function useDestinationName(): (host: string) => string {
  const { t } = useTranslation('programs')
  return host => {
    if (host === 'localhost') return t('local', { host })
    return host.endsWith(':') ? t('app', { scheme: host.slice(0, -1) }) : host
  }
}
