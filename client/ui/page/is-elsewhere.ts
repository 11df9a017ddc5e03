import { use, useRef } from 'react'
import { UNSAFE_DataRouterContext, useLocation } from 'react-router'

/**
 * Whether somebody is on their way to another address, or there already. What leads on by itself asks it first: going
 * on would call their way off. Asked of the router itself, since what React has drawn of a press may come later.
 */
export const useIsElsewhere = (): (() => boolean) => {
  const { key } = useLocation()
  const shownKey = useRef(key)
  shownKey.current = key
  const router = use(UNSAFE_DataRouterContext)?.router
  return () =>
    router !== undefined && (router.state.navigation.state !== 'idle' || router.state.location.key !== shownKey.current)
}
