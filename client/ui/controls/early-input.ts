import { type RefObject, useLayoutEffect } from 'react'

/**
 * Hands over what somebody typed into a field before the page came alive: hydration leaves it on the screen, unknown to
 * the state, and the next render would wipe it out.
 */
export const useEarlyInput = (field: RefObject<HTMLInputElement | null>, take: (text: string) => void): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is only one moment before
  useLayoutEffect(() => {
    if (field.current?.value) take(field.current.value)
  }, [])
}
