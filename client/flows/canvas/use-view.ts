import { useSyncExternalStore } from 'react'
import { flowViewKey } from '#client/app/preference.ts'
import { cookieOf, recall, remember } from '#client/ui/page/remember.ts'

export type View = 'canvas' | 'outline'
/** Where it was kept before the server was told. */
const formerKey = 'recado:flow-view'
/** Below it there is the list alone. */
const wide = '(min-width: 1024px)'

/** Below it a flow is read, not drawn. */
const drawable = '(min-width: 768px)'

/** Whether there is room to draw; until hydrated as if there were. */
export const useRoomToDraw = (): boolean =>
  useSyncExternalStore(
    changed => {
      const room = matchMedia(drawable)
      room.addEventListener('change', changed)
      return () => room.removeEventListener('change', changed)
    },
    () => matchMedia(drawable).matches,
    () => true,
  )

/** Chosen here, where storage is forbidden: it lasts as long as the page. */
let chosen: View | undefined
const listeners = new Set<() => void>()

/** As it was read last: it is asked for whenever anything is drawn, and each reading is a way to another process. */
let read: { readonly view: string | undefined } | undefined
const chosenView = (): string | undefined => {
  read ??= { view: cookieOf(flowViewKey) ?? chosen ?? recall(flowViewKey) ?? recall(formerKey) }
  return read.view
}
const viewNow = (): View => (matchMedia(wide).matches && chosenView() !== 'outline' ? 'canvas' : 'outline')

/** Whether a flow that is opened in this browser now is drawn on the canvas. */
export const beginsOnCanvas = (): boolean => viewNow() === 'canvas'

const watch = (changed: () => void) => {
  const room = matchMedia(wide)
  room.addEventListener('change', changed)
  listeners.add(changed)
  return () => {
    room.removeEventListener('change', changed)
    listeners.delete(changed)
    // Another tab may choose until a flow is opened again.
    read = undefined
  }
}
const choose = (next: View) => {
  chosen = next
  remember(flowViewKey, next)
  read = undefined
  for (const changed of [...listeners]) changed()
}

/** How the flow is shown: as last chosen in this browser, else the canvas where there is room. Undefined until hydrated. */
export const useView = (): [View | undefined, (view: View) => void] => [
  useSyncExternalStore(watch, viewNow, () => undefined),
  choose,
]
