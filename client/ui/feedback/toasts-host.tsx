import { lazy, useSyncExternalStore } from 'react'
import { firstToast } from './toasts.tsx'

const Notistack = lazy(() => import('./notistack-host.tsx'))

/** The container of toasts. It loads their code with the first one. */
export function ToastsHost() {
  const isWanted = useSyncExternalStore(firstToast.subscribe, firstToast.hasCome, () => false)
  return isWanted ? <Notistack /> : null
}
