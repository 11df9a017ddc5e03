import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'

interface StoredRetention {
  /** Null: forever. */
  readonly months: number | null
  readonly ranAt: string | null
  /** Messages deleted in the last night. */
  readonly deleted: number | null
  /** The organization's own, which decides when it is night. */
  readonly timeZone: string
}

export async function findRetention(db: Db, orgId: string): Promise<StoredRetention> {
  const row = await db
    .selectFrom('org_settings')
    .select(['retention_months', 'retention_ran_at', 'retention_deleted', 'time_zone'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return {
    months: row?.retention_months ?? null,
    ranAt: row?.retention_ran_at ?? null,
    deleted: row?.retention_deleted ?? null,
    timeZone: row?.time_zone ?? defaultTimeZone,
  }
}

export async function saveRetentionRun(db: OrgDb, orgId: string, run: { at: string; deleted: number }): Promise<void> {
  await db
    .updateTable('org_settings')
    .set({ retention_ran_at: run.at, retention_deleted: run.deleted })
    .where('org_id', '=', orgId)
    .execute()
}
