import { useSyncExternalStore } from 'react'
import { recall, remember } from '#client/ui/page/remember.ts'
import { useFacts } from './facts.ts'
import { isThemeChoice, type ThemeChoice, themeKey } from './preference.ts'

const listeners = new Set<() => void>()

/** The stored choice of this browser. Undefined on the server or without one. */
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

/** The person's choice: at first the server's reading of the cookie, then the browser's. */
export const useThemeChoice = (): ThemeChoice => {
  const { theme } = useFacts()
  return useSyncExternalStore(
    subscribe,
    () => stored() ?? theme,
    () => theme,
  )
}

/** Stores the choice in local storage and a cookie, so that the next page is rendered with it. */
export const chooseTheme = (choice: ThemeChoice): void => {
  remember(themeKey, choice)
  for (const listener of listeners) listener()
}
