import { useSyncExternalStore } from 'react'
import { recall, remember } from '#client/ui/page/remember.ts'
import { useFacts } from './facts.ts'
import { isThemeChoice, type ThemeChoice, themeKey } from './preference.ts'

const listeners = new Set<() => void>()

/** The stored choice of this browser; undefined on the server and when there is none. */
const stored = (): ThemeChoice | undefined => {
  const value = recall(themeKey)
  return isThemeChoice(value) ? value : undefined
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The person's choice, the server's reading of the cookie at first, then whatever this browser keeps. */
export const useThemeChoice = (): ThemeChoice => {
  const { theme } = useFacts()
  return useSyncExternalStore(
    subscribe,
    () => stored() ?? theme,
    () => theme,
  )
}

/** Keeps the choice in local storage and in a cookie, so that the next page's first byte already has it. */
export const chooseTheme = (choice: ThemeChoice): void => {
  remember(themeKey, choice)
  for (const listener of listeners) listener()
}
