import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useSteady } from '../page/steady.ts'

const marks = (state: unknown): boolean => typeof state === 'object' && state !== null && 'isOver' in state

/**
 * Makes the browser's Back close what lies over the page, as on phones, instead of leaving the page. The history gets an
 * entry with the same address, which the router does not see. Links in it must replace that entry.
 * @returns closes it by its own button, and removes the entry
 */
export const useCloseOnBack = (onClose: () => void): (() => void) => {
  const { pathname, search } = useLocation()
  const steady = useSteady({ onClose, isHere: () => pathname + search === location.pathname + location.search })
  useEffect(() => {
    if (!marks(history.state)) history.pushState({ ...history.state, isOver: true }, '')
    const back = (event: PopStateEvent) => {
      // The router has nothing to do, unless it led to another address meanwhile.
      if (steady.isHere()) event.stopImmediatePropagation()
      steady.onClose()
    }
    window.addEventListener('popstate', back, { capture: true })
    return () => window.removeEventListener('popstate', back, { capture: true })
  }, [steady])
  return () => (marks(history.state) ? history.back() : steady.onClose())
}
