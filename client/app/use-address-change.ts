import { use } from 'react'
import { UNSAFE_DataRouterContext, useLocation, useNavigate } from 'react-router'

type Change = (query: URLSearchParams) => void

/**
 * Changes what the address asks for; the page stays where it is. It begins with where somebody is on their way to, which
 * a slow machine has not drawn yet: of two quick presses the second would otherwise take back the first.
 */
export function useAddressChange(): (change: Change, how?: { readonly replace?: boolean }) => void {
  const router = use(UNSAFE_DataRouterContext)?.router
  const drawn = useLocation()
  const navigate = useNavigate()
  return (change, { replace = false } = {}) => {
    const underWay = router?.state.navigation.location
    const { pathname, search, state } = underWay ?? router?.state.location ?? drawn
    const query = new URLSearchParams(search)
    change(query)
    void navigate(
      { pathname, search: query.toString() },
      { preventScrollReset: true, replace: replace && !underWay, state },
    )
  }
}
