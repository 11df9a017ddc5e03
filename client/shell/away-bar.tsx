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

/** Why nothing comes or goes, while it does not. */
export const useAway = (): 'offline' | 'reconnecting' | undefined => {
  const isAway = useIsAway()
  const isOnline = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  )
  if (!isOnline) return 'offline'
  return isAway ? 'reconnecting' : undefined
}

/** Says quietly that nothing comes or goes; it leaves by itself. */
export function AwayBar({ away }: { away: 'offline' | 'reconnecting' }) {
  const { t } = useTranslation('shell')
  return (
    <div className="away-bar" role="status">
      {t(`away.${away}`)}
    </div>
  )
}
