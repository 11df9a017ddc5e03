import type { Db } from '#server/platform/db/database.ts'

export interface Snapshot {
  readonly id: string
  readonly beganAt: string
  readonly endedAt: string | null
  readonly file: string | null
  readonly bytes: number | null
  readonly rows: number | null
  readonly failure: string | null
}

const snapshots = (db: Db) =>
  db
    .selectFrom('snapshot')
    .select(['id', 'began_at as beganAt', 'ended_at as endedAt', 'file', 'bytes', 'row_count as rows', 'failure'])
    .orderBy('began_at', 'desc')

export async function beginSnapshot(db: Db, id: string, beganAt: string): Promise<void> {
  await db
    .insertInto('snapshot')
    .values({
      id,
      began_at: beganAt,
      ended_at: null,
      file: null,
      bytes: null,
      row_count: null,
      failure: null,
      said_at: null,
    })
    .execute()
}

export async function endSnapshot(
  db: Db,
  id: string,
  end: { endedAt: string } & ({ file: string; bytes: number; rows: number } | { failure: string }),
): Promise<void> {
  const values = 'failure' in end ? { failure: end.failure } : { file: end.file, bytes: end.bytes, row_count: end.rows }
  await db
    .updateTable('snapshot')
    .set({ ended_at: end.endedAt, ...values })
    .where('id', '=', id)
    .execute()
}

/** Usable backups, newest first. */
export const listUsable = (db: Db): Promise<Snapshot[]> => snapshots(db).where('file', 'is not', null).execute()

/** The last backup that ended, with or without a fault. */
export const findLast = (db: Db): Promise<Snapshot | undefined> =>
  snapshots(db).where('ended_at', 'is not', null).limit(1).executeTakeFirst()

export async function forgetFile(db: Db, id: string): Promise<void> {
  await db.updateTable('snapshot').set({ file: null }).where('id', '=', id).execute()
}

/** Marks a failure as mailed; false: one was mailed since then already. */
export async function markMailed(db: Db, id: string, { at, since }: { at: string; since: string }): Promise<boolean> {
  const said = await db.selectFrom('snapshot').select('id').where('said_at', '>', since).limit(1).executeTakeFirst()
  if (said) return false
  await db.updateTable('snapshot').set({ said_at: at }).where('id', '=', id).execute()
  return true
}

/** Deletes rows of earlier nights without a file. Returns how many. */
export async function deleteSnapshotsBefore(db: Db, before: string): Promise<number> {
  const result = await db
    .deleteFrom('snapshot')
    .where('began_at', '<', before)
    .where('file', 'is', null)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
