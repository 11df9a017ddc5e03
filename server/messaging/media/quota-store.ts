import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

interface FileUse {
  readonly bytes: number
  /** The percentage that owners were last notified of: 0, 80 or 100. */
  readonly noticedPercent: number
  /** The organization's own limit in bytes. Null: none. */
  readonly ownLimit: number | null
}

export async function findFileUse(db: Db, orgId: string): Promise<FileUse> {
  const use = await db
    .selectFrom('file_use')
    .select(['bytes', 'noticed_percent'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const settings = await db
    .selectFrom('org_settings')
    .select('files_limit_bytes')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return {
    bytes: use?.bytes ?? 0,
    noticedPercent: use?.noticed_percent ?? 0,
    ownLimit: settings?.files_limit_bytes ?? null,
  }
}

/** Returns whether it changed. */
export async function saveNoticedPercent(db: OrgDb, orgId: string, percent: number): Promise<boolean> {
  const result = await db
    .insertInto('file_use')
    .values({ org_id: orgId, bytes: 0, noticed_percent: percent })
    .onConflict(conflict =>
      conflict
        .column('org_id')
        .doUpdateSet({ noticed_percent: percent })
        .where('file_use.noticed_percent', '<>', percent),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}
