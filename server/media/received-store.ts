import type { ReceivedFile } from '#shared/contract.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'

export async function insertReceived(
  db: Db,
  orgId: string,
  file: { id: string; path: string; createdAt: string },
): Promise<void> {
  const { id, path, createdAt } = file
  await db.insertInto('received_file').values({ id, org_id: orgId, path, created_at: createdAt }).execute()
}

/** Where it lies, once: whoever gets an answer has it. */
export async function deleteReceived(db: Db, orgId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('received_file')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('path')
    .executeTakeFirst()
  return row?.path
}

/** Of whatever organization, from before that time. */
export const listReceivedBefore = (db: Db, before: string, limit: number): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('received_file')
    .select(['id', 'org_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()

export interface NewSentMedia {
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

/** The file of a message of ours: it lies here from the start. */
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
