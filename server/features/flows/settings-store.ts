import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import type { FlowSettingsTable } from './table.ts'

const settingsOf = hotQuery((db, p: { orgId: string }) =>
  db.selectFrom('flow_settings').selectAll().where('org_id', '=', p.orgId),
)
const read = (row: Selectable<FlowSettingsTable>): FlowSettings => ({
  restartWords: JSON.parse(row.restart_words),
  leaveWords: JSON.parse(row.leave_words),
  personWords: JSON.parse(row.person_words),
  expiresAfterHours: row.expires_after_hours,
  expiredText: row.expired_text,
  closedText: row.closed_text,
})

/** Undefined: nothing was set. */
export async function findSettings(db: Db, orgId: string): Promise<FlowSettings | undefined> {
  const [row] = await settingsOf(db, { orgId })
  return row && read(row)
}

export async function saveSettings(db: OrgDb, orgId: string, settings: FlowSettings, at: string): Promise<void> {
  const values = {
    restart_words: JSON.stringify(settings.restartWords),
    leave_words: JSON.stringify(settings.leaveWords),
    person_words: JSON.stringify(settings.personWords),
    expires_after_hours: settings.expiresAfterHours,
    expired_text: settings.expiredText,
    closed_text: settings.closedText,
    updated_at: at,
  }
  await db
    .insertInto('flow_settings')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}
