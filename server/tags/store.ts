import type { Db } from '../db.ts'

export interface StoredTag {
  readonly id: string
  readonly label: string
}

/** An organization's tags by label. */
export const listTags = (db: Db, orgId: string, limit: number): Promise<StoredTag[]> =>
  db.selectFrom('tag').select(['id', 'label']).where('org_id', '=', orgId).orderBy('label').limit(limit).execute()

export async function hasTag(db: Db, orgId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('tag')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
