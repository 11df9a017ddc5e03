import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgArchiveTable } from './table.ts'

export type StoredArchive = Selectable<OrgArchiveTable>

export async function findArchive(db: Db, orgId: string): Promise<StoredArchive | undefined> {
  const row = await db.selectFrom('org_archive').selectAll().where('org_id', '=', orgId).executeTakeFirst()
  return row && { ...row, size: row.size === null ? null : Number(row.size) }
}

export const insertArchive = (
  db: OrgDb,
  orgId: string,
  row: Omit<StoredArchive, 'org_id' | 'state' | 'failure' | 'written' | 'size' | 'ended_at'>,
): Promise<unknown> =>
  db
    .insertInto('org_archive')
    .values({ ...row, org_id: orgId, state: 'running' })
    .execute()

/** Changes it if it is still this one and being made. False: it is not. */
export async function updateRunning(
  db: OrgDb,
  orgId: string,
  id: string,
  changes: Partial<Pick<StoredArchive, 'state' | 'failure' | 'written' | 'size' | 'ended_at'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('org_archive')
    .set(changes)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The archive names somebody who was erased. */
export const withdrawArchive = (db: OrgDb, orgId: string, at: string): Promise<unknown> =>
  db
    .updateTable('org_archive')
    .set({ state: 'failed', failure: 'erased', size: null, ended_at: at })
    .where('org_id', '=', orgId)
    .where('state', '<>', 'failed')
    .execute()

export const deleteArchive = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('org_archive').where('org_id', '=', orgId).where('id', '=', id).execute()

/** Lists archives of all organizations that ended before a time. */
export const listEndedBefore = (db: Db, before: string, limit: number) =>
  db.selectFrom('org_archive').select(['id', 'org_id', 'path']).where('ended_at', '<', before).limit(limit).execute()
