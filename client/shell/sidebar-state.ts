import { useSyncExternalStore } from 'react'
import { setCookie } from '#client/ui/page/remember.ts'
import { useFacts } from '../app/facts.ts'
import { sidebarKey } from '../app/preference.ts'

export const sidebarId = 'sidebar'

const lifeSeconds = 604_800
/** Below this the sidebar lies over the page when it is asked for. frame.css and sidebar.css have the same number. */
const beside = '(min-width: 1024px)'
/** Wide unless the person chose otherwise. frame.css and sidebar.css have the same number. */
const roomy = '(min-width: 1200px)'

/** This tab's choice since the page came; browser only. */
let chosen: boolean | undefined
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export type SidebarState = 'wide' | 'icons' | 'auto'
const stateOf = (wide: boolean | null): SidebarState => (wide === null ? 'auto' : wide ? 'wide' : 'icons')

/** As the cookie had it when the page was made, then as it was toggled. */
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

/** Where the sidebar lies over the page it goes away once somewhere was chosen. */
export const closeSheet = (): void => {
  if (sheet()?.matches(':popover-open')) sheet()?.hidePopover()
}

/** Wide or icons where there is room beside the page, over it or gone where there is none. */
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

/** Closes the sheet when the window grows beyond it. Answers how to stop watching. */
export const watchRoom = (): (() => void) => {
  const query = matchMedia(beside)
  query.addEventListener('change', closeSheet)
  return () => query.removeEventListener('change', closeSheet)
}
