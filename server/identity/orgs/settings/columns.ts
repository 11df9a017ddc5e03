import { type OrgSettingKey, type OrgSettingValue, orgSettingFields } from '#shared/orgs/setting-fields.ts'

/** Booleans are stored as 0 or 1, objects as JSON text. */
type StoredAs<T> = T extends string | number ? T : T extends boolean ? number : string
/** The value of a column. Null: nothing is chosen. */
export type StoredSetting<K extends OrgSettingKey> = StoredAs<NonNullable<OrgSettingValue<K>>> | null

/** The columns of these fields, each selected as its key. */
export const settingColumns = <K extends OrgSettingKey>(keys: readonly K[]) =>
  keys.map(key => `org_settings.${orgSettingFields[key].column} as ${key}` as const)

/** A value as its column keeps it. */
export const storedSetting = (value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** The value of a column; null: nothing is chosen. */
export const parseSetting = (key: OrgSettingKey, stored: string | number | null | undefined): unknown => {
  if (stored === null || stored === undefined) return null
  const { type } = orgSettingFields[key].schema as { readonly type?: string }
  if (type === 'boolean') return Boolean(stored)
  return type === 'object' ? JSON.parse(String(stored)) : stored
}
