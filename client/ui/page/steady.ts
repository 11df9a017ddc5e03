import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Before the frame is drawn; on the server, where nothing is, it is no fault. */
export const useIsomorphicLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect

type Acts = Readonly<Record<string, (...args: never[]) => unknown>>

/** The same functions for as long as the part is there, each of which does what the newest one does: nothing is drawn anew for them. */
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

/** The same for one function. */
export const useLasting = <F extends (...args: never[]) => unknown>(work: F): F => useSteady({ work }).work
