import { sql } from 'kysely'
import { scopedQuery, seen } from '#server/identity/visibility/condition.ts'
import { type ListRow, maxOfContact, selectRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** A contact's conversations that this viewer sees, latest activity first. */
export const listConversationsOf = scopedQuery<{ orgId: string; contactId: string }, ListRow>((db, p, scope) =>
  selectRows(db)
    .where('conversation.contact_id', '=', p.contactId)
    .where(belongsTo('conversation.org_id', p.orgId))
    .where(seen(scope))
    .orderBy('conversation.last_activity_at', 'desc')
    .orderBy('conversation.id')
    .limit(sql.lit(maxOfContact)),
)

/** `search`: the new search text. @see contactSearchText */
export async function saveContactName(
  db: OrgDb,
  orgId: string,
  contact: { id: string; name: string | null; search: string },
): Promise<void> {
  await db
    .updateTable('contact')
    .set({ name: contact.name, search: contact.search })
    .where(belongsTo('contact.org_id', orgId))
    .where('id', '=', contact.id)
    .execute()
}

export async function findContactNote(db: Db, orgId: string, contactId: string): Promise<string | null> {
  const row = await db
    .selectFrom('contact')
    .select('note')
    .where(belongsTo('contact.org_id', orgId))
    .where('id', '=', contactId)
    .executeTakeFirst()
  return row?.note ?? null
}

export async function saveContactNote(
  db: OrgDb,
  orgId: string,
  contact: { id: string; note: string | null },
): Promise<void> {
  await db
    .updateTable('contact')
    .set({ note: contact.note })
    .where(belongsTo('contact.org_id', orgId))
    .where('id', '=', contact.id)
    .execute()
}
