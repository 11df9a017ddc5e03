import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export interface Block {
  readonly at: string
  /** Name. */
  readonly by: string
}

export async function findBlock(db: Db, orgId: string, contactId: string): Promise<Block | null> {
  const row = await db
    .selectFrom('contact')
    .select(['blocked_at', 'blocked_by'])
    .where('id', '=', contactId)
    .where(belongsTo('contact.org_id', orgId))
    .executeTakeFirst()
  return row?.blocked_at ? { at: row.blocked_at, by: row.blocked_by ?? '' } : null
}

export async function saveBlock(db: OrgDb, orgId: string, contactId: string, block: Block | null): Promise<void> {
  await db
    .updateTable('contact')
    .set({ blocked_at: block?.at ?? null, blocked_by: block?.by ?? null })
    .where('id', '=', contactId)
    .where(belongsTo('contact.org_id', orgId))
    .execute()
}
