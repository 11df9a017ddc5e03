import { sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ListRow, selectRows } from '../conversations/list-row-store.ts'

export interface ContactFilter {
  readonly tagId?: string | undefined
  readonly optedOut?: boolean | undefined
  /** Only these. */
  readonly ids?: readonly string[] | undefined
  /** The id of the contact before the first one. */
  readonly after?: string | undefined
}

export interface FoundContact {
  readonly id: string
  readonly name: string | null
  readonly profile_name: string | null
  readonly created_at: string
}

/** Contacts of whom the viewer sees a conversation, newest first. */
export function selectContacts(db: Db, { orgId, scope }: Viewer, filter: ContactFilter, limit: number) {
  const { tagId, optedOut, ids, after } = filter
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
  if (ids !== undefined) query = query.where('contact.id', 'in', ids)
  return query.orderBy('contact.id', 'desc').limit(limit)
}

/** Of each contact, the latest conversation that the viewer sees. */
export async function lastConversationsOf(
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
