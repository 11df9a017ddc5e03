import { useCallback, useMemo, useRef } from 'react'

/** The same object as long as it says the same: what is drawn from it is not drawn again. Of what JSON can say. */
export function useSteady<T>(value: T): T {
  const text = useMemo(() => JSON.stringify(value), [value])
  return useMemo(() => JSON.parse(text) as T, [text])
}

/**
 * The same function for the whole life of what draws, doing what the last one given does: a canvas is told of hundreds of
 * steps each time that one of its functions changes. For what happens, never while drawing.
 */
export function useLasting<F extends (...args: never[]) => unknown>(work: F): F {
  const latest = useRef(work)
  latest.current = work
  return useCallback(((...args) => latest.current(...args)) as F, [])
}
