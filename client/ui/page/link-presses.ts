import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'

/** One press that means here: no other tab, no other window. */
export const isPlainPress = (event: MouseEvent): boolean =>
  !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** The browser's own business: another tab, another window, a download, a link to elsewhere. */
const isOwn = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  !isPlainPress(event) ||
  (link.target !== '' && link.target !== '_self') ||
  link.hasAttribute('download') ||
  link.origin !== location.origin

/**
 * One listener for many plain links: a press on one of them inside goes there without loading a page. A `Link` of the
 * router's resolves its address and keeps handlers for each.
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
