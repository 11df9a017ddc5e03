/**
 * Shares a run between concurrent callers. Calls during a run share the next one, so nobody gets the result of a run that
 * began before their call. A failure reaches only the callers of that run.
 */
export function sharedRun<T>(run: () => Promise<T>): { ask(): Promise<T>; settled(): Promise<void> } {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  const begin = (): Promise<T> => {
    const mine = run().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }
  const beginNext = () => {
    next = undefined
    return begin()
  }

  return {
    ask() {
      if (!running) return begin()
      next ??= running.then(beginNext, beginNext)
      return next
    },
    /** Resolves when all runs requested so far have ended, with or without an error. */
    async settled() {
      await (next ?? running)?.catch(() => undefined)
    },
  }
}
