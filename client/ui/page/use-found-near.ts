import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Finds what belongs to a place once that comes near to being seen: of what is far nothing is loaded. `of`: what it is
 * found by; undefined: nothing is looked for. `margin`: how near, as CSS says it.
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
