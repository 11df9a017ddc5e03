import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'

export interface StoredTag {
  readonly id: string
  readonly label: string
}

/** An organization's tags by label. */
export const listTags = (db: Db, orgId: string, limit: number): Promise<StoredTag[]> =>
  db.selectFrom('tag').select(['id', 'label']).where('org_id', '=', orgId).orderBy('label').limit(limit).execute()

export const findTag = (db: Db, orgId: string, id: string): Promise<StoredTag | undefined> =>
  db.selectFrom('tag').select(['id', 'label']).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const insertTag = (db: OrgDb, orgId: string, { id, label }: StoredTag, at: string): Promise<unknown> =>
  db.insertInto('tag').values({ id, org_id: orgId, label, created_at: at }).execute()

export const saveLabel = (db: OrgDb, orgId: string, { id, label }: StoredTag): Promise<unknown> =>
  db.updateTable('tag').set({ label }).where('org_id', '=', orgId).where('id', '=', id).execute()

/** What still hangs on it goes with it. */
export const removeTag = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('tag').where('org_id', '=', orgId).where('id', '=', id).execute()
