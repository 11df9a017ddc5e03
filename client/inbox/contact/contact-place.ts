import { useSyncExternalStore } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { contactSideKey } from '#client/app/preferences/preference.ts'
import { type SidebarState, useSidebarState } from '#client/shell/sidebar/sidebar-state.ts'
import { setCookie } from '#client/ui/page/remember.ts'

export const contactSideId = 'contact-side'

/** The minimum width for list, thread and contact side by side, by the sidebar's state. Must match inbox.css. */
const roomBy: Record<SidebarState, string> = {
  icons: '(min-width: 1200px)',
  wide: '(min-width: 1408px)',
  auto: '(min-width: 1408px)',
}

/** This tab's choice since the page loaded. Browser only. */
let chosen: boolean | undefined
/** True if it was just opened and should get the focus. */
let isAskedFor = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows or hides the contact beside every chat. Stored for the next page. */
export const setContactSide = (isOpen: boolean): void => {
  chosen = isOpen
  isAskedFor = isOpen
  setCookie(contactSideKey, String(isOpen))
  for (const listener of listeners) listener()
}

/** Returns whether it should get the focus now, and resets that. */
export const takeAskedFor = (): boolean => {
  const was = isAskedFor
  isAskedFor = false
  return was
}

/** Open unless closed here or on an earlier page. Says nothing about available space. */
export const useContactSide = (): boolean => {
  const { contactSide } = useFacts()
  return useSyncExternalStore(
    subscribe,
    () => chosen ?? contactSide,
    () => contactSide,
  )
}

/** True if there is space for the contact beside the thread. False before hydration. */
export const useRoomBeside = (): boolean => {
  const room = roomBy[useSidebarState()]
  return useSyncExternalStore(
    listener => {
      const query = matchMedia(room)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(room).matches,
    () => false,
  )
}
