import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { defaultNotificationSettings, type NotificationSettings } from '#shared/notifications/api.ts'
import type { NotificationSettingTable } from './table.ts'

const columns = ['user_id', 'toast', 'sound', 'desktop', 'push', 'quiet_from', 'quiet_to', 'quiet_zone'] as const
type Row = Pick<NotificationSettingTable, (typeof columns)[number]>

/** The settings without muted conversations, which are not needed for many people at once. */
type PersonSettings = Omit<NotificationSettings, 'mutedConversations'>

const toSettings = (row: Row | undefined, muted: boolean): PersonSettings => {
  if (!row) {
    const { mutedConversations: _none, ...standard } = defaultNotificationSettings
    return { ...standard, muted }
  }
  const { quiet_from: from, quiet_to: to, quiet_zone: timeZone } = row
  return {
    toast: row.toast === 1,
    sound: row.sound === 1,
    desktop: row.desktop === 1,
    push: row.push === 1,
    quiet: from !== null && to !== null && timeZone !== null ? { from, to, timeZone } : null,
    muted,
  }
}

const peoplePerQuery = 500

/** The notification settings of these people. All of them are in the result. */
export async function settingsOf(
  db: Db,
  orgId: string,
  userIds: readonly string[],
): Promise<Map<string, PersonSettings>> {
  const found = new Map<string, PersonSettings>()
  for (let from = 0; from < userIds.length; from += peoplePerQuery) {
    const ids = userIds.slice(from, from + peoplePerQuery)
    const rows = await db.selectFrom('notification_setting').select(columns).where('user_id', 'in', ids).execute()
    const mutes = await db
      .selectFrom('notification_mute')
      .select('user_id')
      .where('org_id', '=', orgId)
      .where('user_id', 'in', ids)
      .execute()
    const byUser = new Map(rows.map(row => [row.user_id, row]))
    const muted = new Set(mutes.map(row => row.user_id))
    for (const id of ids) found.set(id, toSettings(byUser.get(id), muted.has(id)))
  }
  return found
}

/** Stores a person's settings, and whether they muted this organization. */
export async function saveSettings(
  db: OrgDb,
  orgId: string,
  userId: string,
  settings: PersonSettings,
  at: string,
): Promise<void> {
  const values = {
    toast: Number(settings.toast),
    sound: Number(settings.sound),
    desktop: Number(settings.desktop),
    push: Number(settings.push),
    quiet_from: settings.quiet?.from ?? null,
    quiet_to: settings.quiet?.to ?? null,
    quiet_zone: settings.quiet?.timeZone ?? null,
    updated_at: at,
  }
  await db
    .insertInto('notification_setting')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute()
  if (settings.muted)
    await db
      .insertInto('notification_mute')
      .values({ org_id: orgId, user_id: userId, created_at: at })
      .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doNothing())
      .execute()
  else await db.deleteFrom('notification_mute').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
}
