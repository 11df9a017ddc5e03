import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { Compile } from 'typebox/compile'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { createPictures, type Pictures, readPicture } from '#server/platform/storage/pictures.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import {
  defaultCountry,
  orgSettingFields,
  type PlainSettingKey,
  plainSettingField,
  plainSettingKeys,
  storedNoneOf,
} from '#shared/orgs/setting-fields.ts'
import type { OrgSettings, orgSettingsApi } from '#shared/orgs/settings.ts'
import { type OrgVariables, orgVariablesFrom } from '#shared/orgs/variables.ts'
import { orgErrors } from '../errors.ts'
import type { OwnerLetters } from '../ownership/letters.ts'
import { parseSetting } from './columns.ts'
import {
  countFormerSlugs,
  findNamedSettings,
  findSettings,
  logosInUse,
  replaceLogo,
  type StoredSettings,
  saveSettings,
} from './store.ts'

/** Path prefix under which logos are served. */
const logoPrefix = '/logos/'
/** Former slugs stay reserved, so their number is bounded. */
const maxFormerSlugs = 50

type Fault = Pick<FieldFault, 'code' | 'params'>
const invalid: Fault = { code: 'invalid', params: {} }
const checks = Object.fromEntries(plainSettingKeys.map(key => [key, Compile(orgSettingFields[key].schema)]))
/**
 * Returns what somebody chose, which is null where null means none; undefined: nothing was chosen. An unknown value,
 * stored by another version, counts as not chosen.
 */
const chosenValue = <K extends PlainSettingKey>(key: K, stored: StoredSettings | undefined) => {
  const value = parseSetting(key, stored?.[key])
  if (value !== null && value === storedNoneOf(key)) return null as OrgSettings[K]
  return checks[key]?.Check(value) ? (value as OrgSettings[K]) : undefined
}
const settingValue = <K extends PlainSettingKey>(key: K, stored: StoredSettings | undefined) => {
  const chosen = chosenValue(key, stored)
  return chosen === undefined ? (orgSettingFields[key].default as OrgSettings[K]) : chosen
}
const settingsFrom = (stored: StoredSettings | undefined): OrgSettings =>
  Object.fromEntries(plainSettingKeys.map(key => [key, settingValue(key, stored)])) as OrgSettings

type Calls = Pick<typeof orgSettingsApi, 'getSettings' | 'changeSettings' | 'setLogo' | 'removeLogo'>

export type OrgSettingsService = ServiceOf<Calls, OrgCaller> & {
  /** The value in force: what was chosen, else the default. Inside a transaction, pass its `db`. */
  read<K extends PlainSettingKey>(orgId: string, key: K, db?: Db): Promise<OrgSettings[K]>
  /** Undefined: nothing was chosen, so the default is in force. Inside a transaction, pass its `db`. */
  findChosen<K extends PlainSettingKey>(orgId: string, key: K, db?: Db): Promise<OrgSettings[K] | undefined>
  /** Variables about the organization for texts to customers. Inside a transaction, pass its `db`. */
  readVariables(orgId: string, db?: Db): Promise<OrgVariables>
  /** The country code that is added to numbers typed without one, such as `54`. */
  readCallingCode(orgId: string): Promise<string>
  /** The country of numbers typed without a country code. */
  readCountry(orgId: string): Promise<CountryCode>
  /** @throws ORGS_SLUG_CHANGED_TOO_OFTEN */
  requireFreeChange(orgId: string, change: { slug?: string }): Promise<void>
  /** Open tabs get the new name or slug; owners are mailed about a new slug. */
  announceChange(orgId: string, change: { slug?: string }, by: EventActor): Promise<void>
  readonly logos: Pick<Pictures, 'prefix' | 'read'>
  /** Deletes pictures that are no organization's logo; returns how many. */
  pruneLogos(now: Date): Promise<number>
}

export function createOrgSettings(parts: {
  databases: Databases
  clock: Clock
  ids(): string
  writes: Pick<Writes, 'run'>
  storage: FileStorage
  letters: OwnerLetters
  /** The installation's limit for each organization; null: none. */
  maxFilesBytes: number | null
}): OrgSettingsService {
  const { databases, clock, ids, writes, letters } = parts
  const logos = createPictures(parts.storage, logoPrefix)

  const most = parts.maxFilesBytes
  /** Checks that need the server. */
  const faultOf: {
    readonly [K in PlainSettingKey]?: (value: NonNullable<OrgSettings[K]>) => Fault | undefined
  } = {
    country: value => (isSupportedCountry(value) ? undefined : invalid),
    filesLimitBytes: value =>
      most !== null && value > most ? { code: 'maximum', params: { limit: most } } : undefined,
  }
  const requireValid = (key: PlainSettingKey, value: unknown) => {
    if (value === undefined || value === null) return
    const isValid = plainSettingField(key).isValid?.(value as string) ?? true
    const fault = isValid ? faultOf[key]?.(value as never) : invalid
    if (fault) throw new InvalidInput([{ field: `body.${key}`, ...fault }])
  }

  const readSettings = async (db: Db, orgId: string) => settingsFrom(await findSettings(db, orgId))

  /**
   * The old picture's file is deleted after the commit, unless another organization uses it. If that fails,
   * `pruneLogos` deletes it later.
   */
  const putLogo = async (caller: OrgCaller, logo: string | null) => {
    const unused = await writes.run(caller.orgId, actorOf(caller), async ({ db, emit }) => {
      const before = await replaceLogo(db, caller.orgId, logo)
      emit({ type: 'organization.changed', data: {} })
      return before !== null && (await logosInUse(db, [before])).size === 0 ? before : null
    })
    await logos.remove(unused)
    return { logo }
  }

  const readCountry = async (orgId: string): Promise<CountryCode> => {
    const country = settingValue('country', await findSettings(databases.read, orgId))
    return isSupportedCountry(country) ? country : defaultCountry
  }

  return {
    getSettings: member => readSettings(databases.read, member.orgId),

    /** @throws InvalidInput naming the field */
    changeSettings(caller, { body }) {
      const { orgId } = caller
      for (const key of plainSettingKeys) requireValid(key, body[key])
      return writes.run(orgId, actorOf(caller), async ({ db, emit }) => {
        await saveSettings(db, orgId, body, isoNow(clock))
        emit({ type: 'organization.changed', data: {} })
        return readSettings(db, orgId)
      })
    },

    /** @throws ORGS_LOGO_TOO_LARGE, ORGS_LOGO_NOT_IMAGE */
    async setLogo(caller, { body: { dataBase64 } }) {
      const fields = ['body.dataBase64']
      const picture = readPicture(dataBase64)
      if (picture === 'tooLarge') throw orgErrors.LOGO_TOO_LARGE({ fields })
      if (picture === 'notImage') throw orgErrors.LOGO_NOT_IMAGE({ fields })
      return putLogo(caller, await logos.store(ids(), picture))
    },

    removeLogo: caller => putLogo(caller, null),

    async read(orgId, key, db = databases.read) {
      return settingValue(key, await findSettings(db, orgId))
    },
    async findChosen(orgId, key, db = databases.read) {
      return chosenValue(key, await findSettings(db, orgId))
    },
    async readVariables(orgId, db = databases.read) {
      const org = await findNamedSettings(db, orgId)
      return orgVariablesFrom(org?.name ?? '', settingsFrom(org))
    },
    readCallingCode: async orgId => getCountryCallingCode(await readCountry(orgId)),
    readCountry,
    async requireFreeChange(orgId, { slug }) {
      if (slug === undefined) return
      if ((await countFormerSlugs(databases.read, orgId)) >= maxFormerSlugs) throw orgErrors.SLUG_CHANGED_TOO_OFTEN()
    },

    announceChange: (orgId, { slug }, by) =>
      writes.run(orgId, by, async ({ db, emit, afterCommit }) => {
        emit({ type: 'organization.changed', data: {} })
        if (slug === undefined) return
        await letters.add(db, orgId, { what: 'slugChanged', by: by.name ?? '', detail: slug })
        afterCommit(() => letters.wake())
      }),

    logos,
    pruneLogos: now => logos.prune(now, addresses => logosInUse(databases.read, addresses)),
  }
}
