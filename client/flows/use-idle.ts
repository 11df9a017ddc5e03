import { startTransition, useEffect, useState } from 'react'

/** Becomes true once the page has nothing else to do, or after so long. */
export function useIdle(withinMs: number): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const end = () => startTransition(() => setIdle(true))
    if (!window.requestIdleCallback) {
      const timer = setTimeout(end, withinMs)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(end, { timeout: withinMs })
    return () => cancelIdleCallback(idle)
  }, [withinMs])
  return isIdle
}
