import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAway } from './live-provider.tsx'

const watchNetwork = (tell: () => void) => {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}

/** Says quietly that nothing comes or goes, and leaves by itself. */
export function AwayBar() {
  const { t } = useTranslation('shell')
  const isAway = useIsAway()
  const isOnline = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  )
  if (isOnline && !isAway) return null
  return (
    <div className="away-bar" role="status">
      {isOnline ? t('away.reconnecting') : t('away.offline')}
    </div>
  )
}
