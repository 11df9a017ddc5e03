import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { isPersonsConversation } from '#server/messaging/conversations/waiting/answer-due.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Origin } from '#shared/stats/definitions.ts'
import { type CountedRow, countedColumns } from './figures/segment-facts.ts'
import type { PackKey } from './packs/store.ts'

/** A range of start times, ISO 8601, `until` excluded. */
export interface Range {
  readonly since: string
  readonly until: string
}

/** The segments to count. A null id selects segments without one; an absent id does not filter. */
export interface Cohort {
  /**
   * The segments began in this period. Absent: the customer waits for a first response now, whenever the segment began.
   */
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

/**
 * The condition of the index `conversation_segment_unattended`. `tests.unattended` decides the same for one segment. The
 * customer waits for people only while they have the conversation: @see isPersonsConversation
 */
export const isUnattended = sql<boolean>`is_last = 1 and resolved_at is null and waiting_since is not null
  and first_reply_at is null and (has_bot = 0 or handed_at is not null)`

/** The segments of a period, or those whose customers wait for a first response. Both use an index of their own. */
const selectBase = (db: Db, orgId: string, period: Range | undefined, { after, last }: Slice) =>
  db
    .selectFrom('conversation_segment')
    .where('conversation_segment.org_id', '=', orgId)
    .$if(period !== undefined, query =>
      query.where('started_at', '>=', period?.since ?? '').where('started_at', '<', period?.until ?? ''),
    )
    .$if(period === undefined, query => query.where(isUnattended))
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

/** The segments of a slice that the viewer may see and the filters of the cohort leave. */
const selectCohort = (
  db: Db,
  { orgId, scope }: Viewer,
  { period, teamId, ownerId, tagId, origin, connectionId }: Cohort,
  slice: Slice,
) =>
  selectBase(db, orgId, period, slice)
    .where('conversation_segment.kind', '=', listedKind(orgId))
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .$if(period === undefined, query => query.where(isPersonsConversation('conversation_segment.conversation_id')))
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

/** The segments of a slice, newest first. */
export const listCounted = (...args: Parameters<typeof selectCohort>): Promise<CountedRow[]> =>
  selectCohort(...args)
    .select(countedColumns)
    .orderBy('started_at', 'desc')
    .orderBy('conversation_segment.id', 'desc')
    .execute()

/**
 * Counts the customers of a slice, and those who have waited since each time of `since` or longer. `oldest`: the first
 * has waited since then.
 */
export async function countWaiting(
  db: Db,
  viewer: Viewer,
  cohort: Omit<Cohort, 'period'>,
  { slice, since }: { slice: Slice; since: readonly string[] },
): Promise<{ all: number; waiting: number[]; oldest: string | null }> {
  const counted = since.map((at, i) =>
    sql<number>`coalesce(sum(case when waiting_since <= ${at} then 1 else 0 end), 0)`.as(`waiting${i}`),
  )
  const row: Record<string, unknown> = await selectCohort(db, viewer, { ...cohort, period: undefined }, slice)
    .select(eb => [eb.fn.countAll<number>().as('all'), eb.fn.min('waiting_since').as('oldest'), ...counted])
    .executeTakeFirstOrThrow()
  return {
    all: row.all as number,
    waiting: since.map((_, i) => row[`waiting${i}`] as number),
    oldest: row.oldest as string | null,
  }
}

/** The segments that began on a UTC day, newest first. */
export const listToPack = (
  db: Db,
  { org_id: orgId, kind, day }: PackKey,
  { after, limit }: { after: SegmentPosition | undefined; limit: number },
): Promise<CountedRow[]> => {
  const until = new Date(Date.parse(day) + 86_400_000).toISOString()
  return selectBase(db, orgId, { since: `${day}T`, until }, { after, last: undefined })
    .select(countedColumns)
    .where('conversation_segment.kind', '=', kind)
    .orderBy('started_at', 'desc')
    .orderBy('conversation_segment.id', 'desc')
    .limit(limit)
    .execute()
}

/** A segment that names this member or team. Exported for tests of the statement. */
export const selectNamed = (
  db: Db,
  orgId: string,
  { column, id }: { column: 'owner_id' | 'team_id' | 'first_reply_by'; id: string },
) =>
  db
    .selectFrom('conversation_segment')
    .select('conversation_segment.id')
    .where('conversation_segment.org_id', '=', orgId)
    .where(column, '=', id)
    .limit(1)

/** True if any segment names this member or team. They may have left, so that only segments still know them. */
export const isNamedInSegments = async (...args: Parameters<typeof selectNamed>): Promise<boolean> =>
  (await selectNamed(...args).executeTakeFirst()) !== undefined

/** The tags that the contacts of these conversations have now. */
export const findTagsOfConversations = (db: Db, { orgId, scope }: Viewer, conversationIds: readonly string[]) =>
  db
    .selectFrom('conversation')
    .innerJoin('contact_tag', 'contact_tag.contact_id', 'conversation.contact_id')
    .select(['conversation.id as conversation_id', 'contact_tag.tag_id'])
    .where('conversation.id', 'in', conversationIds)
    .where(belongsTo('conversation.org_id', orgId))
    .where(seen(scope))
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
