import { type PlainSettingKey, plainSettingField, plainSettingKeys } from './setting-fields.ts'
import type { OrgSettings } from './settings.ts'

/** A value that texts to customers can mention between braces; empty where nothing is chosen. */
export type OrgVariable = `org.${string}`
export type OrgVariables = Readonly<Record<OrgVariable, string>> & { readonly 'org.nombre': string }

const settings = plainSettingKeys.flatMap(key => {
  const { variable } = plainSettingField(key)
  return variable ? [{ key, variable }] : []
})

export const orgVariables: readonly OrgVariable[] = ['org.nombre', ...settings.map(({ variable }) => variable)]

/** The settings field behind a variable; undefined: it is no settings field. */
export const settingOfVariable = (name: string): PlainSettingKey | undefined =>
  settings.find(({ variable }) => variable === name)?.key

/** @param chosen undefined: not known yet */
export const orgVariablesFrom = (name: string, chosen: OrgSettings | undefined): OrgVariables => ({
  'org.nombre': name,
  ...Object.fromEntries(settings.map(({ key, variable }) => [variable, String(chosen?.[key] ?? '')])),
})
