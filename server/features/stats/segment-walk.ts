import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import {
  anyTime,
  type Cohort,
  findSliceEnd,
  isNamedInSlice,
  listCounted,
  listTagsOfSegments,
  type SegmentPosition,
  type Slice,
} from './cohort-store.ts'
import { type Clocks, type SegmentFacts, segmentFacts } from './figures/segment-facts.ts'

/** Reading this many rows holds the event loop for some ten milliseconds. */
const rowsPerSlice = 2_000
/** One statement binds this many ids. */
const idsPerStatement = 500

/** Slices of the segments of a period, newest first. Other requests run between two slices. */
async function* walkSlices(
  { read, turn }: Databases,
  orgId: string,
  { period, after: start }: Pick<Cohort, 'period'> & { readonly after?: SegmentPosition | undefined },
): AsyncGenerator<Slice> {
  for (let after = start; ; ) {
    const last = await findSliceEnd(read, orgId, { period, after, size: rowsPerSlice })
    yield { after, last }
    if (!last) return
    after = last
    await turn.giveWay()
  }
}

interface Walk {
  readonly viewer: Viewer
  readonly cohort: Cohort
  readonly clocks: Clocks
  /** Skips this segment and those before it in the order of the walk. */
  readonly after?: SegmentPosition | undefined
}

/** The segments of a cohort, newest first, in slices that may be empty. */
export async function* walkSegments(
  databases: Databases,
  { viewer, cohort, clocks, after }: Walk,
): AsyncGenerator<readonly SegmentFacts[]> {
  for await (const slice of walkSlices(databases, viewer.orgId, { period: cohort.period, after })) {
    const rows = await listCounted(databases.read, viewer, cohort, slice)
    yield rows.map(row => segmentFacts(row, clocks))
  }
}

/** Whether any segment names this member or team. They may have left, so that only segments still know them. */
export async function isNamedInSegments(
  databases: Databases,
  orgId: string,
  named: Parameters<typeof isNamedInSlice>[2],
): Promise<boolean> {
  for await (const slice of walkSlices(databases, orgId, { period: anyTime }))
    if (await isNamedInSlice(databases.read, orgId, named, slice)) return true
  return false
}

/** Ids of tags by the id of the segment. */
export async function tagsOfSegments(
  { read, turn }: Databases,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tags = new Map<string, string[]>()
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    for (const { id, tag_id: tagId } of await listTagsOfSegments(read, viewer, ids.slice(from, from + idsPerStatement)))
      tags.set(id, [...(tags.get(id) ?? []), tagId])
    await turn.giveWay()
  }
  return tags
}
