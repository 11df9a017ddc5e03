/** Does something once the page has nothing else to do, or after so long; answers how to leave it. */
export function whenIdle(work: () => void, withinMs: number): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, withinMs)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: withinMs })
  return () => cancelIdleCallback(idle)
}
