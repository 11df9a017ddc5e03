interface Use {
  running: number
  waiting: (() => void)[]
}

/** Bounds what runs at once by key, such as an organization, so that one with much to do takes nothing from another. */
export function createConcurrencyByKey({
  atOnce,
  maxWaiting,
}: {
  readonly atOnce: number
  readonly maxWaiting: number
}) {
  const uses = new Map<string, Use>()
  return {
    /**
     * Runs `work` when the key has a free place, in the order of the calls.
     * @returns `full` if too many wait already
     */
    async run<T>(key: string, work: () => Promise<T>): Promise<T | 'full'> {
      const use = uses.get(key) ?? { running: 0, waiting: [] }
      uses.set(key, use)
      if (use.running < atOnce) use.running += 1
      else if (use.waiting.length >= maxWaiting) return 'full'
      // The call that ends passes its place on.
      else await new Promise<void>(resolve => use.waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = use.waiting.shift()
        if (next) next()
        else {
          use.running -= 1
          if (!use.running) uses.delete(key)
        }
      }
    },
  }
}
