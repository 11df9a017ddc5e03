import { useSyncExternalStore } from 'react'
import { useFacts } from '#client/app/facts.ts'
import { sidebarKey } from '#client/app/preferences/preference.ts'
import { setCookie } from '#client/ui/page/remember.ts'

export const sidebarId = 'sidebar'

const lifeSeconds = 604_800
/** The width from which the sidebar is not an overlay. Must match frame.css and sidebar.css. */
const beside = '(min-width: 1024px)'
/** Wide unless the person chose otherwise. Must match frame.css and sidebar.css. */
const roomy = '(min-width: 1200px)'

/** The user's choice in this tab since the page loaded. Used in the browser only. */
let chosen: boolean | undefined
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export type SidebarState = 'wide' | 'icons' | 'auto'
const stateOf = (wide: boolean | null): SidebarState => (wide === null ? 'auto' : wide ? 'wide' : 'icons')

/** The cookie's value when the page was made, then as toggled. */
export const useSidebarState = (): SidebarState => {
  const { sidebar } = useFacts()
  const wide = useSyncExternalStore(
    subscribe,
    () => chosen ?? sidebar,
    () => sidebar,
  )
  return stateOf(wide)
}

const sheet = (): HTMLElement | null => document.getElementById(sidebarId)

/** An overlay sidebar closes after navigating. */
export const closeSheet = (): void => {
  if (sheet()?.matches(':popover-open')) sheet()?.hidePopover()
}

/** Toggles wide or icons; in narrow windows, opens or closes the overlay. */
export const toggleSidebar = (): void => {
  if (!matchMedia(beside).matches) {
    sheet()?.togglePopover()
    return
  }
  const now = document.querySelector<HTMLElement>('[data-sidebar]')?.dataset.sidebar
  chosen = now === 'auto' ? !matchMedia(roomy).matches : now !== 'wide'
  setCookie(sidebarKey, String(chosen), lifeSeconds)
  for (const listener of listeners) listener()
}

/** Closes the overlay when the window becomes wide. Returns how to stop. */
export const watchRoom = (): (() => void) => {
  const query = matchMedia(beside)
  query.addEventListener('change', closeSheet)
  return () => query.removeEventListener('change', closeSheet)
}
