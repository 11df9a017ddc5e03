import type { Db } from '#server/platform/db/database.ts'

/** Inserts an upload without a file. */
export async function insertUpload(
  db: Db,
  orgId: string,
  { id, mime, size, createdMs }: { id: string; mime: string; size: number; createdMs: number },
): Promise<void> {
  await db
    .insertInto('sandbox_upload')
    .values({ id, org_id: orgId, mime, size, handle: null, created_ms: createdMs })
    .execute()
}

export const findUpload = (db: Db, orgId: string, id: string) =>
  db.selectFrom('sandbox_upload').selectAll().where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

/** An upload that has its file. */
export const findUploadByHandle = (db: Db, orgId: string, handle: string) =>
  db
    .selectFrom('sandbox_upload')
    .select(['id', 'mime'])
    .where('org_id', '=', orgId)
    .where('handle', '=', handle)
    .executeTakeFirst()

/** An upload with its bytes, if they were kept. */
export const findPictureUpload = (db: Db, orgId: string, handle: string) =>
  db
    .selectFrom('sandbox_upload')
    .select(['mime', 'bytes'])
    .where('org_id', '=', orgId)
    .where('handle', '=', handle)
    .executeTakeFirst()

export async function saveUploadHandle(
  db: Db,
  orgId: string,
  id: string,
  file: { handle: string; bytes: Buffer | null },
): Promise<void> {
  await db.updateTable('sandbox_upload').set(file).where('org_id', '=', orgId).where('id', '=', id).execute()
}
