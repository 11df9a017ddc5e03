import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** `useLayoutEffect` in the browser, without React's warning on the server. */
export const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

type Acts = Readonly<Record<string, (...args: never[]) => unknown>>

/**
 * Functions that keep their identity while the component is mounted, and call the newest version: they cause no
 * renders.
 */
export function useSteady<T extends Acts>(newest: T): T {
  const latest = useRef(newest)
  useIsomorphicLayoutEffect(() => {
    latest.current = newest
  })
  const [steady] = useState(() =>
    Object.fromEntries(Object.keys(newest).map(name => [name, (...args: never[]) => latest.current[name]?.(...args)])),
  )
  return steady as T
}

/** Keeps the identity of one function. @see useSteady */
export const useLasting = <F extends (...args: never[]) => unknown>(work: F): F => useSteady({ work }).work
