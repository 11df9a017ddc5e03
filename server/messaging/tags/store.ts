import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { byLabel } from '#shared/tags/api.ts'

export interface StoredTag {
  readonly id: string
  readonly label: string
  readonly hue: number
}

const columns = ['id', 'label', 'hue'] as const

/** An organization's tags by label, ignoring accents and case. */
export async function listTags(db: Db, orgId: string, limit: number): Promise<StoredTag[]> {
  const tags = await db.selectFrom('tag').select(columns).where('org_id', '=', orgId).limit(limit).execute()
  return tags.sort(byLabel)
}

export const findTag = (db: Db, orgId: string, id: string): Promise<StoredTag | undefined> =>
  db.selectFrom('tag').select(columns).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const insertTag = (db: OrgDb, orgId: string, { id, label, hue }: StoredTag, at: string): Promise<unknown> =>
  db.insertInto('tag').values({ id, org_id: orgId, label, hue, created_at: at }).execute()

export const saveTag = (db: OrgDb, orgId: string, { id, label, hue }: StoredTag): Promise<unknown> =>
  db.updateTable('tag').set({ label, hue }).where('org_id', '=', orgId).where('id', '=', id).execute()

/** Rows that refer to it are deleted by cascade. */
export const removeTag = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('tag').where('org_id', '=', orgId).where('id', '=', id).execute()
