import { useSyncExternalStore } from 'react'
import { recall, remember } from '#client/ui/page/remember.ts'
import { useFacts } from '../facts.ts'
import { isThemeChoice, type ThemeChoice, themeKey } from './preference.ts'

const listeners = new Set<() => void>()

/** Returns the choice stored in this browser. `undefined` on the server, or if nothing is stored. */
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

/** Returns the person's choice: during hydration the one that the server read from the cookie, then the browser's. */
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
