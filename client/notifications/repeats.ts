interface Announcement {
  readonly id: string
  readonly title: string
  readonly body: string
}

const sameIdMs = 30_000
const sameContentMs = 2_000

/**
 * Filters repeats: the same id within 30 seconds, or the same title and body within 2, is announced once. @param now
 * monotonic milliseconds
 */
export function createRepeats(now: () => number) {
  let ids = new Map<string, number>()
  let contents = new Map<string, number>()
  const recent = (seen: Map<string, number>, ms: number) => new Map([...seen].filter(([, at]) => now() - at < ms))
  return {
    /** True: it is new, so announce it. It is remembered from now on. */
    rememberIfNew({ id, title, body }: Announcement): boolean {
      ids = recent(ids, sameIdMs)
      contents = recent(contents, sameContentMs)
      const content = JSON.stringify([title, body])
      if (ids.has(id) || contents.has(content)) return false
      ids.set(id, now())
      contents.set(content, now())
      return true
    },
  }
}
