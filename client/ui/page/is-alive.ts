import { useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** False on the server and during hydration, when no handler is attached yet. */
export const useIsAlive = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
