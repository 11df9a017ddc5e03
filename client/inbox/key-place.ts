import { useEffect } from 'react'
import { isComposing } from '#client/ui/controls/composing.ts'
import { useSteady } from '#client/ui/page/steady.ts'

const typingQuietMs = 1000

/** The context of a key press. */
interface KeyPlace {
  /** The focus is in the list or the thread, or was there last. */
  readonly isKeyed: boolean
  /** Since the last typed character, ignored ones included, because the rest of a word follows. */
  readonly sinceTypedMs: number
}

/** False while somebody types: a single letter is then no shortcut. */
export const mayAct = ({ isKeyed, sinceTypedMs }: KeyPlace): boolean => isKeyed && sinceTypedMs >= typingQuietMs

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isKeyedAt = (element: Element): boolean =>
  element.closest('.inbox-list, .thread') !== null && element.closest('.list-search, .composer, .control-bar') === null

/** Focus in a toast does not change the place. */
const isAside = (element: Element): boolean => element.closest('.toasts') !== null

/**
 * Tracks where the focus is and when something was typed. If the focused element disappears, its place still counts. A
 * page that was just opened counts as the list.
 */
function followKeyPlace(): { isAllowed(at: number): boolean; hold(at: number): void; stop(): void } {
  const arrivedOn = document.activeElement
  let isKeyed = true
  let typedAt = Number.NEGATIVE_INFINITY
  const stay = new AbortController()
  const options = { capture: true, passive: true, signal: stay.signal }
  const note = ({ target }: Event) => {
    if (target instanceof Element && !isAside(target)) isKeyed = isKeyedAt(target)
  }
  document.addEventListener('focusin', note, options)
  document.addEventListener('pointerdown', note, options)
  document.addEventListener(
    'keydown',
    ({ target, key, timeStamp }) => {
      if (isField(target) && (key.length === 1 || key === 'Process' || key === 'Unidentified')) typedAt = timeStamp
    },
    options,
  )
  return {
    isAllowed(at) {
      const { activeElement } = document
      const isNowhere =
        activeElement === null ||
        activeElement === document.body ||
        activeElement === arrivedOn ||
        isAside(activeElement)
      return mayAct({
        isKeyed: isNowhere ? isKeyed : isKeyedAt(activeElement),
        sinceTypedMs: at - typedAt,
      })
    },
    hold: at => {
      typedAt = at
    },
    stop: () => stay.abort(),
  }
}

/** Shortcuts of single letters, where they are allowed. `onKey` returns whether it handled the key. */
export const useSingleKeys = (onKey: (event: KeyboardEvent) => boolean): void => {
  const steady = useSteady({ onKey })
  useEffect(() => {
    const place = followKeyPlace()
    const press = (event: KeyboardEvent) => {
      const { key } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return
      if (key.length !== 1 || isField(event.target)) return
      if (!place.isAllowed(event.timeStamp)) place.hold(event.timeStamp)
      else if (steady.onKey(event)) event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => {
      place.stop()
      document.removeEventListener('keydown', press)
    }
  }, [steady])
}
