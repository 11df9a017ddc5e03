import { type RefObject, useLayoutEffect } from 'react'

/**
 * Passes on what somebody typed into a field before hydration. Hydration leaves it on the screen but not in the
 * state, so the next render would delete it.
 */
export const useEarlyInput = (field: RefObject<HTMLInputElement | null>, take: (text: string) => void): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is only one moment before
  useLayoutEffect(() => {
    if (field.current?.value) take(field.current.value)
  }, [])
}
