import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import {
  type Cohort,
  countWaiting,
  findSliceEnd,
  findTagsOfConversations,
  listCounted,
  type Range,
  type SegmentPosition,
  type Slice,
} from './cohort-store.ts'
import {
  type Clocks,
  type CountedSegment,
  factsOfSegment,
  type SegmentFacts,
  segmentFacts,
} from './figures/segment-facts.ts'
import type { Pause } from './figures/tally.ts'
import { unpackSegments } from './packs/encoding.ts'
import { listPacks, type PackIds } from './packs/store.ts'

/** Reading this many rows holds the event loop for some ten milliseconds. */
const rowsPerSlice = 2_000
/** One statement looks up this many ids. */
const idsPerStatement = 256

/** Packs of a busy organization have some hundred kilobytes. */
const packsPerStatement = 10
const dayMs = 86_400_000
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Counting takes this much of a turn, so that others wait twice as long as usual, not ten times. */
const longCountingMs = 2

/**
 * Lets other requests run between two slices. Somebody waits for the answer of a request, so it does not wait for other
 * reads as well, of which it is one itself.
 */
export const pauseOf = ({ turn }: Databases, isJob?: boolean): Pause =>
  isJob ? () => turn.giveWay() : () => turn.letRequestsPass(longCountingMs)

/** Slices of the segments of a period, newest first. */
async function* walkSlices(
  databases: Databases,
  orgId: string,
  { period, after: start, isJob }: Pick<Cohort, 'period'> & Pick<Walk, 'after' | 'isJob'>,
): AsyncGenerator<Slice> {
  const { read } = databases
  const pause = pauseOf(databases, isJob)
  for (let after = start; ; ) {
    const last = await findSliceEnd(read, orgId, { period, after, size: rowsPerSlice })
    yield { after, last }
    if (!last) return
    after = last
    await pause()
  }
}

interface Walk {
  readonly viewer: Viewer
  readonly cohort: Cohort
  readonly clocks: Clocks
  /** Skips this segment and those before it in the order of the walk. */
  readonly after?: SegmentPosition | undefined
  /** The ids that the caller reads. Default: all. Segments may come without the others. */
  readonly ids?: PackIds
  /** A job asks, for which nobody waits. */
  readonly isJob?: boolean | undefined
}

async function* walkRows(
  databases: Databases,
  { viewer, cohort, clocks, after, isJob }: Walk,
): AsyncGenerator<SegmentFacts[]> {
  for await (const slice of walkSlices(databases, viewer.orgId, { period: cohort.period, after, isJob })) {
    const rows = await listCounted(databases.read, viewer, cohort, slice)
    yield rows.map(row => segmentFacts(row, clocks))
  }
}

/** The filters of a cohort leave this segment. `listCounted` filters rows likewise. */
const cohortFits = ({ teamId, ownerId, origin, connectionId }: Cohort) => {
  const fits = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value
  return (segment: CountedSegment): boolean =>
    fits<string | null>(teamId, segment.teamId) &&
    fits<string | null>(ownerId, segment.ownerId) &&
    fits(origin, segment.origin) &&
    fits(connectionId, segment.connectionId)
}

/** Reads the segments of a period from packs, and those of days that are not packed from rows. */
async function* walkPacks(
  databases: Databases,
  walk: Walk & { readonly period: Range },
): AsyncGenerator<SegmentFacts[]> {
  const { read } = databases
  const pause = pauseOf(databases, walk.isJob)
  const { viewer, cohort, clocks, after, period, ids: wanted = 'all' } = walk
  const [since, until] = [Date.parse(period.since), Date.parse(period.until)]
  const afterMs = after && Date.parse(after.started_at)
  const isAfter = ({ startedAt, id }: CountedSegment) =>
    afterMs === undefined || startedAt < afterMs || (startedAt === afterMs && id < (after?.id ?? ''))
  const fits = cohortFits(cohort)
  const tags = createTagLookup(databases, viewer, walk.isJob)
  const newest = afterMs === undefined ? until - 1 : Math.min(until - 1, afterMs)
  for (let to: string | undefined = utcDay(newest); to !== undefined; ) {
    const packs: Awaited<ReturnType<typeof listPacks>> = await listPacks(read, viewer.orgId, {
      from: utcDay(since),
      to,
      limit: packsPerStatement,
      ids: wanted === 'none' && cohort.tagId !== undefined ? 'conversations' : wanted,
    })
    for (const { day, data, ids, conversation_ids: conversationIds } of packs) {
      const midnight = Date.parse(day)
      if (data === null) {
        const ofDay = {
          since: new Date(Math.max(since, midnight)).toISOString(),
          until: new Date(Math.min(until, midnight + dayMs)).toISOString(),
        }
        yield* walkRows(databases, { ...walk, cohort: { ...cohort, period: ofDay } })
        continue
      }
      for (const slice of unpackSegments({ data, ids, conversationIds }, midnight, rowsPerSlice)) {
        const inPeriod = slice.filter(
          segment => segment.startedAt >= since && segment.startedAt < until && isAfter(segment) && fits(segment),
        )
        const left = cohort.tagId === undefined ? inPeriod : await tags.filter(inPeriod, cohort.tagId)
        yield left.map(segment => factsOfSegment(segment, clocks))
        await pause()
      }
    }
    const last = packs.length === packsPerStatement ? packs.at(-1) : undefined
    to = last && utcDay(Date.parse(last.day) - dayMs)
  }
}

/**
 * The segments of a cohort, newest first, in slices that may be empty. Packs do not know who sees which conversation, so
 * the segments of viewers who do not see all are read from rows.
 */
export const walkSegments = (databases: Databases, walk: Walk): AsyncGenerator<readonly SegmentFacts[]> => {
  const { period } = walk.cohort
  return period && walk.viewer.scope.kind === 'all'
    ? walkPacks(databases, { ...walk, period })
    : walkRows(databases, walk)
}

/**
 * Counts the customers who wait for a first response, and those of them who wait since each time of `since` or longer.
 */
export async function countUnattended(
  databases: Databases,
  { viewer, cohort, since }: { viewer: Viewer; cohort: Omit<Cohort, 'period'>; since: readonly string[] },
): Promise<{ all: number; waiting: number[]; oldest: string | null }> {
  const sum = { all: 0, waiting: since.map(() => 0), oldest: null as string | null }
  for await (const slice of walkSlices(databases, viewer.orgId, { period: undefined })) {
    const { all, waiting, oldest } = await countWaiting(databases.read, viewer, cohort, { slice, since })
    sum.all += all
    sum.waiting = sum.waiting.map((count, i) => count + (waiting[i] ?? 0))
    if (oldest !== null && (sum.oldest === null || oldest < sum.oldest)) sum.oldest = oldest
  }
  return sum
}

/** The tags that contacts have now, looked up once for each conversation. */
export function createTagLookup(databases: Databases, viewer: Viewer, isJob?: boolean) {
  const { read } = databases
  const pause = pauseOf(databases, isJob)
  const known = new Map<string, string[]>()
  const none: readonly string[] = []
  const load = async (segments: readonly { readonly conversationId: string | null }[]): Promise<void> => {
    const ids = new Set<string>()
    for (const { conversationId: id } of segments) if (id !== null && !known.has(id)) ids.add(id)
    const all = [...ids]
    for (let from = 0; from < all.length; from += idsPerStatement) {
      const some = all.slice(from, from + idsPerStatement)
      for (const id of some) known.set(id, [])
      for (const { conversation_id: id, tag_id: tagId } of await findTagsOfConversations(read, viewer, some))
        known.get(id)?.push(tagId)
      await pause()
    }
  }
  const of = (conversationId: string | null): readonly string[] => known.get(conversationId ?? '') ?? none
  return {
    load,
    of,
    async filter(segments: readonly CountedSegment[], tagId: string): Promise<CountedSegment[]> {
      await load(segments)
      return segments.filter(({ conversationId }) => of(conversationId).includes(tagId))
    },
  }
}
