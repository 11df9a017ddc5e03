import { useSyncExternalStore } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { contactSideKey } from '#client/app/preference.ts'
import { type SidebarState, useSidebarState } from '#client/shell/sidebar-state.ts'
import { setCookie } from '#client/ui/page/remember.ts'

export const contactSideId = 'contact-side'

/** From which width list, thread and contact stand side by side, by how wide the sidebar is. inbox.css has the same numbers. */
const roomBy: Record<SidebarState, string> = {
  icons: '(min-width: 1200px)',
  wide: '(min-width: 1408px)',
  auto: '(min-width: 1408px)',
}

/** This tab's choice since the page came; browser only. */
let chosen: boolean | undefined
/** Somebody has just asked for it, and is led there. */
let isAskedFor = false
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the contact beside every chat, or folds it away; kept for the next page. */
export const setContactSide = (isOpen: boolean): void => {
  chosen = isOpen
  isAskedFor = isOpen
  setCookie(contactSideKey, String(isOpen))
  for (const listener of listeners) listener()
}

/** Whether the focus belongs there now; told once. */
export const takeAskedFor = (): boolean => {
  const was = isAskedFor
  isAskedFor = false
  return was
}

/** As the cookie had it when the page was made, then as it was chosen; whether there is room is another question. */
export const useContactSide = (): boolean => {
  const { contactSide } = useFacts()
  return useSyncExternalStore(
    subscribe,
    () => chosen ?? contactSide,
    () => contactSide,
  )
}

/** Whether the contact has room beside the thread; not known before the page is alive. */
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
