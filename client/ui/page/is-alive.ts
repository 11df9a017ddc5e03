import { useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** False on the server, and while markup that came with the page is taken over: nobody listens to it yet. */
export const useIsAlive = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
