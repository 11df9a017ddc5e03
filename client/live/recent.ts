/** Longer than any answer is taken for fresh: whoever comes later asks anew. */
const keptMs = 30_000
const keptAtMost = 300

export interface RecentEvent {
  readonly name: string
  readonly data: unknown
  readonly id: number | undefined
  /** Milliseconds of the same clock as `since`. */
  readonly at: number
}

/** The events of the last half minute, for a part of the page that begins to listen later than they came. */
export const createRecentEvents = (now: () => number) => {
  const kept: RecentEvent[] = []
  return {
    add(name: string, data: unknown, id: number | undefined) {
      const at = now()
      kept.push({ name, data, id, at })
      while (kept.length > keptAtMost || (kept[0] && at - kept[0].at > keptMs)) kept.shift()
    },
    /** Those of a name that came at `since` or after it, oldest first. */
    of: (name: string, since: number): readonly RecentEvent[] =>
      kept.filter(event => event.name === name && event.at >= since && now() - event.at <= keptMs),
  }
}
