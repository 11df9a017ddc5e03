import { useSyncExternalStore } from 'react'
import { flowViewKey } from '#client/app/preferences/preference.ts'
import { cookieOf, recall, remember } from '#client/ui/page/remember.ts'

export type View = 'canvas' | 'outline'
/** Local storage of earlier versions. */
const formerKey = 'recado:flow-view'
/** Narrower screens show the outline only. */
const wide = '(min-width: 1024px)'

/** The choice if storage is forbidden: it lasts as long as the page. */
let chosen: View | undefined
const listeners = new Set<() => void>()

/** Caches the last value, because it is read at every rendering and each storage access is slow. */
let read: { readonly view: string | undefined } | undefined
const chosenView = (): string | undefined => {
  read ??= { view: cookieOf(flowViewKey) ?? chosen ?? recall(flowViewKey) ?? recall(formerKey) }
  return read.view
}
const viewNow = (): View => (matchMedia(wide).matches && chosenView() !== 'outline' ? 'canvas' : 'outline')

/** True if a flow that is opened in this browser now starts with the canvas. */
export const beginsOnCanvas = (): boolean => viewNow() === 'canvas'

const watch = (changed: () => void) => {
  const room = matchMedia(wide)
  room.addEventListener('change', changed)
  listeners.add(changed)
  return () => {
    room.removeEventListener('change', changed)
    listeners.delete(changed)
    // Another tab may change it before the next flow is opened.
    read = undefined
  }
}
const choose = (next: View) => {
  chosen = next
  remember(flowViewKey, next)
  read = undefined
  for (const changed of [...listeners]) changed()
}

/** The view of the flow: this browser's last choice, otherwise the canvas on wide screens. Undefined until hydrated. */
export const useView = (): [View | undefined, (view: View) => void] => [
  useSyncExternalStore(watch, viewNow, () => undefined),
  choose,
]
