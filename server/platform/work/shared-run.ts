/**
 * The same for many who ask at once: those who ask while a run is under way share the next, which begins after all of them
 * asked. Nobody gets the answer of one that had begun before they came; a run that fails fails for its own alone.
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
    /** Those that are asked for by now are over, well or not. */
    async settled() {
      await (next ?? running)?.catch(() => undefined)
    },
  }
}
