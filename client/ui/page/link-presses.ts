import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** A click that opens the link here, not in another tab or window. */
export const isPlainPress = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** Clicks that the browser handles: another tab or window, a download, a link to another site. */
const isOwn = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  !isPlainPress(event) ||
  (link.target !== '' && link.target !== '_self') ||
  link.hasAttribute('download') ||
  link.origin !== location.origin

/**
 * One click handler for many plain links inside an element: it navigates without loading a page. Cheaper than a
 * `Link` of the router for each, which resolves its address and keeps handlers.
 */
export const useLinkPresses = (): ((event: MouseEvent<HTMLElement>) => void) => {
  const navigate = useNavigate()
  return event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !event.currentTarget.contains(link) || isOwn(event, link)) return
    event.preventDefault()
    void navigate(link.pathname + link.search + link.hash, { preventScrollReset: true })
  }
}
