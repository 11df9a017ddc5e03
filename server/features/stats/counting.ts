import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { type Clocks, type CountedRow, type SegmentFacts, segmentFacts } from './figures/segment-facts.ts'
import { type Cohort, type CohortPage, listCounted, listTagsOfSegments } from './segment-list-store.ts'

/** A slice of reading that holds the event loop for some ten milliseconds. */
const rowsAtOnce = 2_000
/** As many as one statement takes as values. */
const idsAtOnce = 500

interface Walk {
  readonly viewer: Viewer
  readonly cohort: Cohort
  readonly clocks: Clocks
  /** Only what comes behind this segment. */
  readonly after?: CohortPage['after']
}

/** The segments of a cohort, the newest first, in slices between which others have their turn. */
export async function* walkSegments(
  { read, turn }: Databases,
  { viewer, cohort, clocks, after: first }: Walk,
): AsyncGenerator<readonly SegmentFacts[]> {
  let last: CountedRow | undefined
  do {
    const after = last ? { startedAt: last.started_at, id: last.id } : first
    const rows: CountedRow[] = await listCounted(read, viewer, cohort, { after, limit: rowsAtOnce })
    last = rows.length === rowsAtOnce ? rows.at(-1) : undefined
    yield rows.map(row => segmentFacts(row, clocks))
    await turn.giveWay()
  } while (last)
}

/** The tags of these segments, by their id. */
export async function tagsOfSegments(
  { read, turn }: Databases,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tags = new Map<string, string[]>()
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    for (const { id, tag_id: tagId } of await listTagsOfSegments(read, viewer, ids.slice(from, from + idsAtOnce)))
      tags.set(id, [...(tags.get(id) ?? []), tagId])
    await turn.giveWay()
  }
  return tags
}
