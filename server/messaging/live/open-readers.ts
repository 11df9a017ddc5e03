import type { Feed } from './feed.ts'
import type { WatchedOrg } from './pump.ts'
import type { Reader } from './reader.ts'

interface OpenReadersParts {
  /** Opens the feed of an organization that gets its first reader. */
  openFeed(orgId: string, watchedOrg: () => WatchedOrg): Feed
  /** The organization's last reader left. */
  orgLeft(watched: WatchedOrg): void
  /** The person now has this many streams in this process. */
  countChanged(userId: string, count: number): void
}

/** The open streams of this process, by organization and by person. An organization has a feed while it has readers. */
interface OpenReaders {
  readonly count: number
  add(reader: Reader): WatchedOrg
  /** Does nothing for a reader that was removed before. */
  remove(reader: Reader): void
  countOf(userId: string): number
  listOf(userId: string): Reader[]
  listAll(): Reader[]
  watched(orgId: string): WatchedOrg | undefined
  watchedOrgs(): [orgId: string, watched: WatchedOrg][]
  /** The number of streams of each person. */
  counts(): (readonly [userId: string, count: number])[]
}

export function createOpenReaders({ openFeed, orgLeft, countChanged }: OpenReadersParts): OpenReaders {
  const byOrg = new Map<string, WatchedOrg>()
  const byUser = new Map<string, Set<Reader>>()
  let count = 0

  const watchedOrgOf = (orgId: string): WatchedOrg => {
    const known = byOrg.get(orgId)
    if (known) return known
    const watched: WatchedOrg = { readers: new Set(), feed: openFeed(orgId, () => watched) }
    byOrg.set(orgId, watched)
    return watched
  }

  return {
    get count() {
      return count
    },
    add(reader) {
      const watched = watchedOrgOf(reader.orgId)
      watched.readers.add(reader)
      const own = byUser.get(reader.userId) ?? new Set()
      byUser.set(reader.userId, own.add(reader))
      count += 1
      countChanged(reader.userId, own.size)
      return watched
    },
    remove(reader) {
      if (reader.closed) return
      reader.closed = true
      count -= 1
      const watched = byOrg.get(reader.orgId)
      watched?.readers.delete(reader)
      if (watched && !watched.readers.size) {
        byOrg.delete(reader.orgId)
        orgLeft(watched)
      }
      const own = byUser.get(reader.userId)
      own?.delete(reader)
      if (!own?.size) byUser.delete(reader.userId)
      countChanged(reader.userId, own?.size ?? 0)
    },
    countOf: userId => byUser.get(userId)?.size ?? 0,
    listOf: userId => [...(byUser.get(userId) ?? [])],
    listAll: () => [...byUser.values()].flatMap(own => [...own]),
    watched: orgId => byOrg.get(orgId),
    watchedOrgs: () => [...byOrg],
    counts: () => [...byUser].map(([userId, own]) => [userId, own.size] as const),
  }
}
