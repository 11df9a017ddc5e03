import type { Db } from '#server/platform/db/database.ts'

/** True also while conversations wait for a rebuild. */
export async function isAnyUnread(db: Db): Promise<boolean> {
  const { read, last } = await readProgress(db)
  if (read < last) return true
  return isAnyDue(db)
}

/** `read`: the `seq` of the last message that was read into segments. `last`: the newest `seq` there is. */
export async function readProgress(db: Db): Promise<{ read: number; last: number }> {
  const place = await db
    .selectFrom('conversation_segment_read')
    .select('seq')
    .where('name', '=', 'message')
    .executeTakeFirst()
  const newest = await db.selectFrom('message').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return { read: place?.seq ?? 0, last: newest?.seq ?? 0 }
}

/** True if a conversation waits for a rebuild. */
export const isAnyDue = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('conversation_segment_due').select('org_id').limit(1).executeTakeFirst()) !== undefined
