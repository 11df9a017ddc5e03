/** Calls `work` once the page is idle, or after the given time; returns a function that cancels it. */
export function whenIdle(work: () => void, withinMs: number): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(work, withinMs)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: withinMs })
  return () => cancelIdleCallback(idle)
}
