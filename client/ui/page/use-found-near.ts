import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Loads something for an element when it comes near the visible area. `of`: its key; undefined: nothing is loaded.
 * `margin`: how near, as a CSS length.
 */
export function useFoundNear<Found>(of: string | undefined, find: (of: string) => Promise<Found>, margin = '0px') {
  const box = useRef<HTMLSpanElement>(null)
  const [found, setFound] = useState<Found>()
  const look = useEffectEvent(find)
  useEffect(() => {
    const element = box.current
    if (of === undefined || !element) return
    let isGone = false
    const near = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        near.disconnect()
        void look(of).then(value => isGone || setFound(() => value))
      },
      { rootMargin: margin },
    )
    near.observe(element)
    return () => {
      isGone = true
      near.disconnect()
    }
  }, [of, margin])
  return { box, found }
}
