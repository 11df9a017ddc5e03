import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAway } from '../live-provider.tsx'

const watchNetwork = (tell: () => void) => {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}

/** Why live events are interrupted, if they are. */
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

/** Shows that live events are interrupted. Disappears by itself. */
export function AwayBar({ away }: { away: 'offline' | 'reconnecting' }) {
  const { t } = useTranslation('shell')
  return (
    <div className="away-bar" role="status">
      {t(`away.${away}`)}
    </div>
  )
}
