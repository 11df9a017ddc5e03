import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Origin } from '#shared/stats/definitions.ts'
import { type CountedRow, countedColumns } from './figures/segment-facts.ts'

/** Null: of nobody; undefined: whosever. */
export interface Cohort {
  /** When segments began, ISO 8601, the end excluded; absent: at any time, and the customer has no answer since. */
  readonly period?: { readonly since: string; readonly until: string } | undefined
  readonly teamId?: string | null | undefined
  readonly ownerId?: string | null | undefined
  readonly tagId?: string | undefined
  readonly origin?: Origin | undefined
  readonly connectionId?: string | undefined
}

export interface CohortPage {
  /** The last row that was read. */
  readonly after?: { readonly startedAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** Segments that a viewer may count, as the filter leaves them. */
const selectCohort = (db: Db, { orgId, scope }: Viewer, cohort: Cohort) => {
  const { period, teamId, ownerId, tagId, origin, connectionId } = cohort
  return db
    .selectFrom('conversation_segment')
    .where('conversation_segment.org_id', '=', orgId)
    .where('conversation_segment.kind', '=', listedKind(orgId))
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .$if(period !== undefined, query =>
      query.where('started_at', '>=', period?.since ?? '').where('started_at', '<', period?.until ?? ''),
    )
    .$if(period === undefined, query =>
      query
        .where(sql<boolean>`is_last = 1 and resolved_at is null and waiting_since is not null`)
        .where('first_reply_at', 'is', null),
    )
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
}

/** Whether anything was counted for a person or a team, who may have left since. */
export async function isCounted(
  db: Db,
  orgId: string,
  { column, id }: { column: 'owner_id' | 'team_id' | 'first_reply_by'; id: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('conversation_segment')
    .select('id')
    .where('org_id', '=', orgId)
    .where(column, '=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Rows that figures are computed from, the newest first. */
export const listCounted = (db: Db, viewer: Viewer, cohort: Cohort, page: CohortPage): Promise<CountedRow[]> =>
  selectCohort(db, viewer, cohort)
    .select(countedColumns)
    .$if(page.after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('conversation_segment.started_at', 'conversation_segment.id'),
          '<',
          tuple(page.after?.startedAt ?? '', page.after?.id ?? ''),
        ),
      ),
    )
    .orderBy('started_at', 'desc')
    .orderBy('conversation_segment.id', 'desc')
    .limit(page.limit)
    .execute()

/** The tags of these segments, as they are on the contacts now. */
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

/** What the list shows of these segments, beside what is counted. */
export const listShown = (db: Db, { orgId, scope }: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('conversation_segment')
    .select(['id', 'conversation_id', 'origin', 'messages_in', 'messages_out', 'resolved_at'])
    .where('id', 'in', ids)
    .where(sql<boolean>`conversation_segment.org_id || '' = ${orgId}`)
    .where(seenThrough(scope, 'conversation_segment.conversation_id'))
    .execute()
