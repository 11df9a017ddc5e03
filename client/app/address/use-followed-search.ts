import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Calls `follow` when a link or the back button sets another search than that of a search field whose text goes into
 * the address after a pause. A search of the field itself may arrive while more is typed, which stays.
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
    // Those before it were overtaken.
    for (const search of sent.current) {
      sent.current.delete(search)
      if (search === shown) break
    }
  }, [shown])
  return search => void sent.current.add(search)
}
