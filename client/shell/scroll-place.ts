import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'

/**
 * Scroll position of the content: a new page starts at its top, going back restores it, and changing only the query
 * keeps it.
 */
export function useScrollPlace(): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const { key, pathname } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const places = useRef(new Map<string, number>())
  const here = useRef({ key, pathname })
  useEffect(() => {
    const { current: element } = ref
    const note = () => places.current.set(here.current.key, element?.scrollTop ?? 0)
    element?.addEventListener('scroll', note, { passive: true })
    return () => element?.removeEventListener('scroll', note)
  }, [])
  useIsomorphicLayoutEffect(() => {
    const isOther = here.current.pathname !== pathname
    here.current = { key, pathname }
    if (isOther) ref.current?.scrollTo({ top: isBack ? (places.current.get(key) ?? 0) : 0, behavior: 'instant' })
  }, [key, pathname, isBack])
  return ref
}
