import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import {
  type OrgSettingKey,
  type OrgSettingValue,
  orgSettingFields,
  type PlainSettingKey,
  plainSettingKeys,
  storedNoneOf,
} from '#shared/orgs/setting-fields.ts'
import { type StoredSetting, settingColumns, storedSetting } from './columns.ts'

export type StoredSettings = { readonly [K in PlainSettingKey]: StoredSetting<K> }

const columns = settingColumns(plainSettingKeys)

const settingsOf = hotQuery((db, p: { orgId: string }) =>
  db.selectFrom('org_settings').select(columns).where('org_id', '=', p.orgId),
)
const namedSettingsOf = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('organization')
    .leftJoin('org_settings', 'org_settings.org_id', 'organization.id')
    .select('organization.name')
    .select(columns)
    .where('organization.id', '=', p.orgId),
)

/** Undefined: nothing chosen yet. */
export const findSettings = async (db: Db, orgId: string): Promise<StoredSettings | undefined> =>
  (await settingsOf(db, { orgId }))[0] as StoredSettings | undefined

/** The settings with the organization's name. Undefined: the organization does not exist. */
export const findNamedSettings = async (db: Db, orgId: string) =>
  (await namedSettingsOf(db, { orgId }))[0] as (StoredSettings & { readonly name: string }) | undefined

/** Stores the given fields and keeps the others. */
export async function saveSettings(
  db: OrgDb,
  orgId: string,
  changes: { readonly [K in OrgSettingKey]?: OrgSettingValue<K> | null | undefined },
  at: string,
): Promise<void> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const stored = given.map(([name, value]) => {
    const key = name as OrgSettingKey
    return [orgSettingFields[key].column, storedSetting(value ?? storedNoneOf(key) ?? null)]
  })
  const values = { ...Object.fromEntries(stored), updated_at: at }
  await db
    .insertInto('org_settings')
    .values({ org_id: orgId, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** Sets a logo's address; returns the previous one. */
export async function replaceLogo(db: OrgDb, orgId: string, logo: string | null): Promise<string | null> {
  const before = await db.selectFrom('organization').select('logo').where('id', '=', orgId).executeTakeFirstOrThrow()
  await db.updateTable('organization').set({ logo }).where('id', '=', orgId).execute()
  return before.logo
}

/** Returns the addresses that are some organization's logo. */
export async function logosInUse(db: Db, logos: readonly string[]): Promise<Set<string>> {
  if (!logos.length) return new Set()
  const rows = await db.selectFrom('organization').select('logo').where('logo', 'in', logos).execute()
  return new Set(rows.flatMap(row => row.logo ?? []))
}

export async function countFormerSlugs(db: Db, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('former_slug')
    .where('org_id', '=', orgId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
