import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'

export async function insertReceived(
  db: Db,
  orgId: string,
  file: { id: string; path: string; size: number | null; broughtBy: string | null; createdAt: string },
): Promise<void> {
  const { id, path, size, broughtBy, createdAt } = file
  await db
    .insertInto('received_file')
    .values({ id, org_id: orgId, path, size, brought_by: broughtBy, created_at: createdAt })
    .execute()
}

export async function saveReceivedSize(db: Db, orgId: string, id: string, size: number): Promise<void> {
  await db.updateTable('received_file').set({ size }).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Deletes the row and returns it. Only one caller gets it. */
export const deleteReceived = (
  db: Db,
  orgId: string,
  id: string,
): Promise<{ path: string; brought_by: string | null } | undefined> =>
  db
    .deleteFrom('received_file')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(['path', 'brought_by'])
    .executeTakeFirst()

/** Lists received files of all organizations that were created before a time, oldest first. */
export const listReceivedBefore = (db: Db, before: string, limit: number): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('received_file')
    .select(['id', 'org_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()

interface NewSentMedia {
  id: string
  messageId: string
  mime: string
  name: string
  size: number
  sha256: string
  path: string
  picture: ReceivedFile['picture']
  createdAt: string
}

/** The file of an outbound message, which is already stored. */
export async function insertSentMedia(db: OrgDb, orgId: string, file: NewSentMedia): Promise<void> {
  await db
    .insertInto('media')
    .values({
      id: file.id,
      org_id: orgId,
      message_id: file.messageId,
      provider_id: '',
      mime: file.mime,
      name: file.name,
      size: file.size,
      sha256: file.sha256,
      state: 'stored',
      path: file.path,
      width: file.picture?.width ?? null,
      height: file.picture?.height ?? null,
      error: null,
      created_at: file.createdAt,
    })
    .execute()
}
