import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

interface LookedFile {
  readonly id: string
  readonly orgId: string
  readonly sentAt: string | null
}

/** Organizations with files that were uploaded and last checked before a time. */
export async function listOrgsToLook(db: Db, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('template_media')
    .select('org_id')
    .distinct()
    .where('looked_at', '<', before)
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(row => row.org_id)
}

export async function listFilesToLook(db: Db, orgId: string, before: string, limit: number): Promise<LookedFile[]> {
  const rows = await db
    .selectFrom('template_media')
    .select(['id', 'org_id', 'sent_at'])
    .where('org_id', '=', orgId)
    .where('looked_at', '<', before)
    .where('created_at', '<', before)
    .limit(limit)
    .execute()
  return rows.map(row => ({ id: row.id, orgId: row.org_id, sentAt: row.sent_at }))
}

/** False if another message has been sent with it since it was listed. */
export async function isStillSentAt(db: Db, orgId: string, { id, sentAt }: LookedFile): Promise<boolean> {
  const row = await db
    .selectFrom('template_media')
    .select('sent_at')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sent_at === sentAt
}

export async function markLooked(db: OrgDb, orgId: string, ids: readonly string[], at: string): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('template_media')
    .set({ looked_at: at })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
}

/** Files that only messages of these conversations carried. */
export async function listSentInOnly(db: Db, orgId: string, conversationIds: readonly string[]): Promise<string[]> {
  if (!conversationIds.length) return []
  const rows = await db
    .selectFrom('template_media')
    .select('id')
    .where('org_id', '=', orgId)
    .where('sent_in', 'in', conversationIds)
    .execute()
  return rows.map(row => row.id)
}

/** Records that a message of the conversation carries these files. */
export async function markSent(
  db: Db,
  orgId: string,
  ids: readonly string[],
  { conversationId, at }: { conversationId: string; at: string },
): Promise<void> {
  await db
    .updateTable('template_media')
    .set(eb => ({
      sent_at: at,
      sent_in: eb
        .case()
        .when(eb.fn.coalesce('sent_in', eb.val(conversationId)), '=', conversationId)
        .then(conversationId)
        .else('')
        .end(),
    }))
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute()
}

export async function findRetentionMonths(db: Db, orgId: string): Promise<number | null> {
  const row = await db
    .selectFrom('org_settings')
    .select('retention_months')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row?.retention_months ?? null
}
