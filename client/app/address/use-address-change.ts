import { use } from 'react'
import { UNSAFE_DataRouterContext, useLocation, useNavigate } from 'react-router'

type Change = (query: URLSearchParams) => void

/**
 * Changes the query of the address without leaving the page. Starts from a pending navigation, which a slow machine has
 * not rendered yet; otherwise the second of two quick clicks would undo the first.
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
