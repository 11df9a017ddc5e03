/** Calls of one organization at a time; the others wait. */
const callsAtOnce = 16
const maxWaiting = 64

interface Lane {
  running: number
  waiting: (() => void)[]
}

/** Bounds the calls of each organization, so that a slow upstream of one takes nothing from another. */
export function createPool() {
  const lanes = new Map<string, Lane>()
  return {
    /**
     * Runs `work` when the organization has a free place.
     * @returns `full` if too many wait already
     */
    async run<T>(orgId: string, work: () => Promise<T>): Promise<T | 'full'> {
      const lane = lanes.get(orgId) ?? { running: 0, waiting: [] }
      lanes.set(orgId, lane)
      if (lane.running < callsAtOnce) lane.running += 1
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
          if (!lane.running) lanes.delete(orgId)
        }
      }
    },
  }
}
