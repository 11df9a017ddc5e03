import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * For a search field that writes its text into the address after a pause. Calls `follow` when the address gets a search
 * that the field did not write: by a link or the back button. A search that the field wrote may arrive while the person
 * types on; then the typed text stays.
 * @param shown the address's search
 * @returns to be called with each search that the field puts into the address
 */
export function useFollowedSearch(shown: string, follow: (search: string) => void): (search: string) => void {
  const seen = useRef(shown)
  const sent = useRef(new Set<string>())
  const followOther = useEffectEvent(follow)
  useEffect(() => {
    if (seen.current === shown) return
    seen.current = shown
    if (!sent.current.has(shown)) return followOther(shown)
    // Earlier searches of the field were replaced before they reached the address.
    for (const search of sent.current) {
      sent.current.delete(search)
      if (search === shown) break
    }
  }, [shown])
  return search => void sent.current.add(search)
}
