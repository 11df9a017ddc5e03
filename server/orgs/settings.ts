import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import type { ServiceOf } from '#shared/contract.ts'
import { isLanguage, type Language } from '#shared/language.ts'
import {
  defaultCountry,
  logoMaxBytes,
  logoMaxSide,
  type OrgSettings,
  type orgSettingsApi,
} from '#shared/org-settings.ts'
import { defaultTimeZone, isTimeZone } from '#shared/time.ts'
import type { OrgCaller } from '../actor.ts'
import { type Clock, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import { InvalidInput } from '../validate.ts'
import { orgErrors } from './errors.ts'
import { createLogoFolder, type LogoFolder, logoNameOf, logoPrefix } from './logo-folder.ts'
import { pictureOf } from './picture.ts'
import { findSettings, logosInUse, replaceLogo, saveSettings } from './settings-store.ts'

/** Chosen before anybody of the organization said otherwise. */
const defaultLanguage: Language = 'es'
const prunedAtOnce = 500
const orphanAfterMs = 86_400_000

type Calls = Omit<typeof orgSettingsApi, 'getSecondFactorDemand' | 'setSecondFactorDemand'>

export type OrgSettingsRoom = ServiceOf<Calls, OrgCaller> & {
  /** The zone the organization chose; undefined: none, so the installation's. */
  timeZoneOf(orgId: string): Promise<string | undefined>
  /** The language of its mails; undefined: never chosen. */
  languageOf(orgId: string): Promise<Language | undefined>
  /** Digits of the country that people leave out when they type a number: `54`. */
  callingCodeOf(orgId: string): Promise<string>
  /** Of numbers typed without their country. */
  countryOf(orgId: string): Promise<CountryCode>
  readLogo: LogoFolder['read']
  /** Deletes pictures that are nobody's logo any more; answers how many. */
  pruneLogos(now: Date): Promise<number>
}

const decoded = (dataBase64: string): Buffer | undefined =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(dataBase64) ? Buffer.from(dataBase64, 'base64') : undefined

export function createOrgSettings(parts: {
  databases: Databases
  clock: Clock
  ids(): string
  dataDir: string
}): OrgSettingsRoom {
  const { databases, clock, ids } = parts
  const folder = createLogoFolder(parts.dataDir)

  const settingsOf = async (db: Db, orgId: string): Promise<OrgSettings> => {
    const stored = await findSettings(db, orgId)
    return {
      timeZone: stored?.time_zone ?? defaultTimeZone,
      language: isLanguage(stored?.language) ? stored.language : defaultLanguage,
      country: stored?.country ?? defaultCountry,
    }
  }

  /** The old picture goes after the commit, unless somebody else shows it; should that fail, `pruneLogos` finds it. */
  const putLogo = async (orgId: string, logo: string | null) => {
    const unused = await inTransaction(databases, async trx => {
      const before = await replaceLogo(trx, orgId, logo)
      return before !== null && (await logosInUse(trx, [before])).size === 0 ? before : null
    })
    const old = logoNameOf(unused)
    if (old) await folder.remove(old)
    return { logo }
  }

  const countryOf = async (orgId: string): Promise<CountryCode> => {
    const country = (await findSettings(databases.read, orgId))?.country
    return country && isSupportedCountry(country) ? country : defaultCountry
  }

  return {
    getSettings: member => settingsOf(databases.read, member.orgId),

    /** @throws InvalidInput for a zone or a country nobody knows. */
    async changeSettings({ orgId }, { body }) {
      if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
        throw new InvalidInput([{ field: 'body.timeZone', code: 'invalid', params: {} }])
      if (body.country !== undefined && !isSupportedCountry(body.country))
        throw new InvalidInput([{ field: 'body.country', code: 'invalid', params: {} }])
      return inTransaction(databases, async trx => {
        const stored = await findSettings(trx, orgId)
        await saveSettings(
          trx,
          orgId,
          {
            time_zone: body.timeZone ?? stored?.time_zone ?? null,
            language: body.language ?? stored?.language ?? null,
            country: body.country ?? stored?.country ?? null,
          },
          isoNow(clock),
        )
        return settingsOf(trx, orgId)
      })
    },

    /** @throws ORGS_LOGO_TOO_LARGE, ORGS_LOGO_NOT_IMAGE */
    async setLogo({ orgId }, { body: { dataBase64 } }) {
      const fields = ['body.dataBase64']
      const bytes = decoded(dataBase64)
      if (bytes && bytes.length > logoMaxBytes) throw orgErrors.LOGO_TOO_LARGE({ fields })
      const picture = bytes && pictureOf(bytes)
      if (!bytes || !picture) throw orgErrors.LOGO_NOT_IMAGE({ fields })
      if (Math.max(picture.width, picture.height) > logoMaxSide) throw orgErrors.LOGO_TOO_LARGE({ fields })
      const name = await folder.store(ids(), picture.extension, bytes)
      return putLogo(orgId, logoPrefix + name)
    },

    removeLogo: ({ orgId }) => putLogo(orgId, null),

    async timeZoneOf(orgId) {
      return (await findSettings(databases.read, orgId))?.time_zone ?? undefined
    },
    async languageOf(orgId) {
      const language = (await findSettings(databases.read, orgId))?.language
      return isLanguage(language) ? language : undefined
    },
    callingCodeOf: async orgId => getCountryCallingCode(await countryOf(orgId)),
    countryOf,
    readLogo: name => folder.read(name),

    async pruneLogos(now) {
      const names = await folder.listBefore(now.getTime() - orphanAfterMs, prunedAtOnce)
      const used = await logosInUse(
        databases.read,
        names.map(name => logoPrefix + name),
      )
      const orphans = names.filter(name => !used.has(logoPrefix + name))
      for (const name of orphans) await folder.remove(name)
      return orphans.length
    },
  }
}
