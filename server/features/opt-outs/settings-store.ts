import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** The settings of an organization. */
export interface StoredSettings {
  readonly stopWords: readonly string[]
  readonly resumeWords: readonly string[]
  readonly confirms: boolean
  /** null: the default of its language. */
  readonly stopText: string | null
  readonly resumeText: string | null
}

const settingsOf = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('opt_out_settings')
    .select(['stop_words', 'resume_words', 'confirms', 'stop_text', 'resume_text'])
    .where('org_id', '=', p.orgId),
)

/** Undefined: nothing was chosen. */
export async function findOptOutSettings(db: Db, orgId: string): Promise<StoredSettings | undefined> {
  const [row] = await settingsOf(db, { orgId })
  return (
    row && {
      stopWords: JSON.parse(row.stop_words),
      resumeWords: JSON.parse(row.resume_words),
      confirms: row.confirms === 1,
      stopText: row.stop_text,
      resumeText: row.resume_text,
    }
  )
}

export async function saveOptOutSettings(
  db: OrgDb,
  orgId: string,
  settings: StoredSettings,
  at: string,
): Promise<void> {
  const values = {
    stop_words: JSON.stringify(settings.stopWords),
    resume_words: JSON.stringify(settings.resumeWords),
    confirms: settings.confirms ? 1 : 0,
    stop_text: settings.stopText,
    resume_text: settings.resumeText,
    updated_at: at,
  }
  await db
    .insertInto('opt_out_settings')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}
