/** Longer than any answer counts as fresh. Later readers request again. */
const keptMs = 30_000
const keptAtMost = 300

interface RecentEvent {
  readonly name: string
  readonly data: unknown
  readonly id: number | undefined
  /** Milliseconds, from the same clock as `since`. */
  readonly at: number
}

/** The events of the last half minute, for components that start listening later. */
export const createRecentEvents = (now: () => number) => {
  const kept: RecentEvent[] = []
  return {
    add(name: string, data: unknown, id: number | undefined) {
      const at = now()
      kept.push({ name, data, id, at })
      while (kept.length > keptAtMost || (kept[0] && at - kept[0].at > keptMs)) kept.shift()
    },
    /** Events of a name at or after `since`, oldest first. */
    of: (name: string, since: number): readonly RecentEvent[] =>
      kept.filter(event => event.name === name && event.at >= since && now() - event.at <= keptMs),
  }
}
