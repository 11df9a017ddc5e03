import { useEffect } from 'react'
import { useLocation } from 'react-router'

/** A part that is still loading is waited for this long. */
const waitMs = 5_000

/**
 * Scrolls to the heading that the address names by `#id`, once it is rendered, and focuses it. Gives up when the person
 * acts first.
 */
export function useHashPlace(): void {
  const { key, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address may be opened again
  useEffect(() => {
    if (hash.length < 2) return
    const show = (): boolean => {
      const element = document.getElementById(hash.slice(1))
      if (!element) return false
      element.tabIndex = -1
      element.scrollIntoView({ block: 'start', behavior: 'instant' })
      element.focus({ preventScroll: true })
      return true
    }
    if (show()) return
    const acts = ['pointerdown', 'wheel', 'keydown'] as const
    const observer = new MutationObserver(() => {
      if (show()) stop()
    })
    const timer = setTimeout(() => stop(), waitMs)
    const stop = () => {
      clearTimeout(timer)
      observer.disconnect()
      for (const act of acts) removeEventListener(act, stop)
    }
    observer.observe(document.body, { childList: true, subtree: true })
    for (const act of acts) addEventListener(act, stop, { passive: true })
    return stop
  }, [key, hash])
}
