import { lazy, useSyncExternalStore } from 'react'
import { firstToast } from './toasts.tsx'

const Notistack = lazy(() => import('./notistack-host.tsx'))

/** Stands in the document; empty until the first toast. */
export function ToastsHost() {
  const isWanted = useSyncExternalStore(firstToast.subscribe, firstToast.hasCome, () => false)
  return isWanted ? <Notistack /> : null
}
