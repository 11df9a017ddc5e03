import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ErasureTable } from './table.ts'

export type StoredErasure = Selectable<ErasureTable>

export async function insertErasure(db: OrgDb, orgId: string, row: Omit<ErasureTable, 'org_id'>): Promise<void> {
  await db
    .insertInto('erasure')
    .values({ org_id: orgId, ...row })
    .execute()
}

export const findErasure = (db: Db, orgId: string, id: string): Promise<StoredErasure | undefined> =>
  db.selectFrom('erasure').selectAll().where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const findRunning = (db: Db, orgId: string, contactId: string): Promise<StoredErasure | undefined> =>
  db
    .selectFrom('erasure')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()

/** Newest first. */
export function listErasures(
  db: Db,
  orgId: string,
  { numberHash, before, limit }: { numberHash: string | undefined; before: string | undefined; limit: number },
): Promise<StoredErasure[]> {
  let query = db.selectFrom('erasure').selectAll().where('org_id', '=', orgId)
  if (numberHash !== undefined) query = query.where('number_hash', '=', numberHash)
  if (before !== undefined) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

export async function saveProgress(
  db: OrgDb,
  orgId: string,
  { id, step, place, messages }: { id: string; step: number; place: string; messages: number },
): Promise<void> {
  await db
    .updateTable('erasure')
    .set({ step, place, messages })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Ends an erasure and removes what identified the person. */
export async function finishErasure(
  db: OrgDb,
  orgId: string,
  { id, step, at }: { id: string; step: number; at: string },
): Promise<void> {
  await db
    .updateTable('erasure')
    .set({ step, place: '', finished_at: at, contact_id: null, target: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}
