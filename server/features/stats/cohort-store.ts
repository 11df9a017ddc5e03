import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Origin } from '#shared/stats/definitions.ts'
import { type CountedRow, countedColumns } from './figures/segment-facts.ts'

/** A range of start times, ISO 8601, `until` excluded. */
interface Range {
  readonly since: string
  readonly until: string
}
export const anyTime: Range = { since: '0', until: '9' }

/** Which segments to count. A null id selects segments without one; an absent id does not filter. */
export interface Cohort {
  /** When the segments began. Absent: the customer waits for a first response now, whenever the segment began. */
  readonly period?: Range | undefined
  readonly teamId?: string | null | undefined
  readonly ownerId?: string | null | undefined
  readonly tagId?: string | undefined
  readonly origin?: Origin | undefined
  readonly connectionId?: string | undefined
}

/** Orders segments by when they began; the id decides between segments of the same ms. */
export interface SegmentPosition {
  readonly started_at: string
  readonly id: string
}

/** Segments are read newest first. A slice lies behind `after` and ends with `last`. Undefined: it is not bounded there. */
export interface Slice {
  readonly after: SegmentPosition | undefined
  readonly last: SegmentPosition | undefined
}

/** The segments of a period, or those whose customers wait for a first response. Both use an index of their own. */
const selectBase = (db: Db, orgId: string, period: Range | undefined, { after, last }: Slice) =>
  db
    .selectFrom('conversation_segment')
    .where('conversation_segment.org_id', '=', orgId)
    .$if(period !== undefined, query =>
      query.where('started_at', '>=', period?.since ?? '').where('started_at', '<', period?.until ?? ''),
    )
    // The condition of the index `conversation_segment_unattended`.
    .$if(period === undefined, query =>
      query.where(
        sql<boolean>`is_last = 1 and resolved_at is null and waiting_since is not null and first_reply_at is null`,
      ),
    )
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('conversation_segment.started_at', 'conversation_segment.id'),
          '<',
          tuple(after?.started_at ?? '', after?.id ?? ''),
        ),
      ),
    )
    .$if(last !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('conversation_segment.started_at', 'conversation_segment.id'),
          '>=',
          tuple(last?.started_at ?? '', last?.id ?? ''),
        ),
      ),
    )

/**
 * The last segment of a slice of `size` segments; undefined: fewer are left. Filters do not apply, so that a statement over
 * the slice reads no more than `size` rows, however few of them the filters leave.
 */
export const findSliceEnd = (
  db: Db,
  orgId: string,
  { period, after, size }: { period: Range | undefined; after: SegmentPosition | undefined; size: number },
): Promise<SegmentPosition | undefined> =>
  selectBase(db, orgId, period, { after, last: undefined })
    .select(['conversation_segment.started_at', 'conversation_segment.id'])
    .orderBy('conversation_segment.started_at', 'desc')
    .orderBy('conversation_segment.id', 'desc')
    .limit(1)
    .offset(size - 1)
    .executeTakeFirst()

/** The segments of a slice that the viewer may see and the filters of the cohort leave, newest first. */
export const listCounted = (
  db: Db,
  { orgId, scope }: Viewer,
  { period, teamId, ownerId, tagId, origin, connectionId }: Cohort,
  slice: Slice,
): Promise<CountedRow[]> =>
  selectBase(db, orgId, period, slice)
    .select(countedColumns)
    .where('conversation_segment.kind', '=', listedKind(orgId))
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .$if(teamId !== undefined, query =>
      teamId === null ? query.where('team_id', 'is', null) : query.where('team_id', '=', teamId as string),
    )
    .$if(ownerId !== undefined, query =>
      ownerId === null ? query.where('owner_id', 'is', null) : query.where('owner_id', '=', ownerId as string),
    )
    .$if(origin !== undefined, query => query.where('origin', '=', origin as Origin))
    .$if(connectionId !== undefined, query => query.where('connection_id', '=', connectionId as string))
    .$if(tagId !== undefined, query =>
      query.where(sql<boolean>`exists (select 1 from conversation as tagged join contact_tag
        on contact_tag.contact_id = tagged.contact_id
        where tagged.id = conversation_segment.conversation_id and contact_tag.tag_id = ${tagId})`),
    )
    .orderBy('started_at', 'desc')
    .orderBy('conversation_segment.id', 'desc')
    .execute()

/** Whether a segment of a slice of all segments names this member or team. */
export async function isNamedInSlice(
  db: Db,
  orgId: string,
  { column, id }: { column: 'owner_id' | 'team_id' | 'first_reply_by'; id: string },
  slice: Slice,
): Promise<boolean> {
  const found = await selectBase(db, orgId, anyTime, slice)
    .select('conversation_segment.id')
    .where(column, '=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The tags that the contacts of these segments have now. */
export const listTagsOfSegments = (db: Db, { orgId, scope }: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('conversation_segment')
    .innerJoin('conversation', 'conversation.id', 'conversation_segment.conversation_id')
    .innerJoin('contact_tag', 'contact_tag.contact_id', 'conversation.contact_id')
    .select(['conversation_segment.id', 'contact_tag.tag_id'])
    .where('conversation_segment.id', 'in', ids)
    .where(sql<boolean>`conversation_segment.org_id || '' = ${orgId}`)
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .execute()

/** The columns of these segments that only their list shows. */
export const listShown = (db: Db, { orgId, scope }: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('conversation_segment')
    .select(['id', 'conversation_id', 'origin', 'messages_in', 'messages_out', 'resolved_at'])
    .where('id', 'in', ids)
    .where(sql<boolean>`conversation_segment.org_id || '' = ${orgId}`)
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .execute()
