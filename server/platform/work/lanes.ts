interface Lane {
  running: number
  waiting: (() => void)[]
}

/** Bounds what runs at once by key, such as an organization, so that one with much to do takes nothing from another. */
export function createLanes({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }) {
  const lanes = new Map<string, Lane>()
  return {
    /**
     * Runs `work` when the key has a free place, in the order of the calls.
     * @returns `full` if too many wait already
     */
    async run<T>(key: string, work: () => Promise<T>): Promise<T | 'full'> {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] }
      lanes.set(key, lane)
      if (lane.running < atOnce) lane.running += 1
      else if (lane.waiting.length >= maxWaiting) return 'full'
      // Who ends hands its place on.
      else await new Promise<void>(resolve => lane.waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = lane.waiting.shift()
        if (next) next()
        else {
          lane.running -= 1
          if (!lane.running) lanes.delete(key)
        }
      }
    },
  }
}
