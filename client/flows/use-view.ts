import { useEffect, useState, useSyncExternalStore } from 'react'

export type View = 'canvas' | 'outline'
const key = 'recado:flow-view'
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

/** How the flow is shown: as last chosen in this browser, else the canvas where there is room. Undefined until hydrated. */
export function useView(): [View | undefined, (view: View) => void] {
  const [view, setView] = useState<View>()
  useEffect(() => {
    const room = matchMedia(wide)
    const look = () => {
      let chosen: string | null = null
      try {
        chosen = localStorage.getItem(key)
      } catch {
        // Storage is forbidden here: it is as if nothing had been chosen.
      }
      setView(room.matches && chosen !== 'outline' ? 'canvas' : 'outline')
    }
    look()
    room.addEventListener('change', look)
    return () => room.removeEventListener('change', look)
  }, [])
  const choose = (next: View) => {
    try {
      localStorage.setItem(key, next)
    } catch {
      // It lasts as long as the page.
    }
    setView(next)
  }
  return [view, choose]
}
