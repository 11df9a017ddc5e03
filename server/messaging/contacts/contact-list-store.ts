import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { type ListRow, selectRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { SegmentFilter } from '#shared/contacts/segments.ts'
import { meetsSegment } from './segment-store.ts'

export interface ContactFilter {
  readonly tagId?: string | undefined
  readonly optedOut?: boolean | undefined
  /** Only these. */
  readonly ids?: readonly string[] | undefined
  /** The id of the contact before the first one. */
  readonly after?: string | undefined
  /** Only contacts from this id on. */
  readonly from?: string | undefined
  readonly segment?: { readonly filter: SegmentFilter; readonly wroteSince: string } | undefined
}

export interface FoundContact {
  readonly id: string
  readonly name: string | null
  readonly profile_name: string | null
  readonly created_at: string
}

/** Contacts of whom the viewer sees a conversation, newest first. */
export function selectContacts(db: Db, { orgId, scope }: Viewer, filter: ContactFilter, limit: number) {
  const { tagId, optedOut, ids, after, from, segment } = filter
  let query = db
    .selectFrom('contact')
    .select(['contact.id', 'contact.name', 'contact.profile_name', 'contact.created_at'])
    .where('contact.org_id', '=', orgId)
    // A contact that is being erased has no identity any more.
    .where(eb =>
      eb.or([
        eb('contact.wa_id', 'is not', null),
        eb('contact.bsuid', 'is not', null),
        eb('contact.username', 'is not', null),
      ]),
    )
    .where(
      sql<boolean>`exists (select 1 from conversation where conversation.contact_id = contact.id
        and conversation.kind = ${listedKind(orgId)} and ${seen(scope)})`,
    )
  if (optedOut !== undefined) query = query.where('contact.opt_out', optedOut ? 'is not' : 'is', null)
  if (after !== undefined) query = query.where('contact.id', '<', after)
  if (tagId !== undefined)
    query = query.where(
      sql<boolean>`contact.id in (select contact_tag.contact_id from contact_tag
        where contact_tag.org_id = ${orgId} and contact_tag.tag_id = ${tagId})`,
    )
  if (from !== undefined) query = query.where('contact.id', '>=', from)
  if (segment !== undefined) query = query.where(meetsSegment(segment.filter, segment.wroteSince))
  if (ids !== undefined) query = query.where('contact.id', 'in', ids)
  return query.orderBy('contact.id', 'desc').limit(limit)
}

/** Counts those of the selected contacts that the viewer sees, `most` at most. */
export async function countSelected(db: Db, viewer: Viewer, filter: ContactFilter, most: number): Promise<number> {
  const { count } = await db
    .selectFrom(selectContacts(db, viewer, filter, most).as('selected'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The id of the last of the next `size` contacts, newest first. Undefined: fewer are left. */
export async function findWindowStart(
  db: Db,
  orgId: string,
  { after, size }: { after: string | undefined; size: number },
): Promise<string | undefined> {
  let query = db.selectFrom('contact').select('id').where('org_id', '=', orgId)
  if (after !== undefined) query = query.where('id', '<', after)
  const row = await query
    .orderBy('id', 'desc')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** The latest conversation of each contact that the viewer sees. */
export async function listLastConversations(
  db: Db,
  { orgId, scope }: Viewer,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, ListRow>> {
  if (!contactIds.length) return new Map()
  const rows = await selectRows(db)
    .where('conversation.contact_id', 'in', contactIds)
    .where(belongsTo('conversation.org_id', orgId))
    .where('conversation.kind', '=', listedKind(orgId))
    .where(seen(scope))
    .orderBy('conversation.last_activity_at')
    .orderBy('conversation.id')
    .execute()
  return new Map(rows.map(row => [row.contact_id, row]))
}
