import { use, useRef } from 'react'
import { UNSAFE_DataRouterContext, useLocation } from 'react-router'

/**
 * The returned function tells whether a navigation to another address is under way or has ended. Code that navigates by
 * itself asks first, because it would cancel the person's own navigation. It reads the router's state, since React may
 * render that later.
 */
export const useIsElsewhere = (): (() => boolean) => {
  const { key } = useLocation()
  const shownKey = useRef(key)
  shownKey.current = key
  const router = use(UNSAFE_DataRouterContext)?.router
  return () =>
    router !== undefined && (router.state.navigation.state !== 'idle' || router.state.location.key !== shownKey.current)
}
