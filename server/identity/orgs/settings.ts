import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { createPictures, type Pictures, readPicture } from '#server/platform/storage/pictures.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isLanguage, type Language } from '#shared/kernel/language.ts'
import { defaultTimeZone, isTimeZone } from '#shared/kernel/time.ts'
import { defaultCountry, type OrgSettings, type orgSettingsApi } from '#shared/orgs/settings.ts'
import { orgErrors } from './errors.ts'
import type { OwnerLetters } from './owner-letters.ts'
import { countFormerSlugs, findName, findSettings, logosInUse, replaceLogo, saveSettings } from './settings-store.ts'

/** Chosen before anybody of the organization said otherwise. */
const defaultLanguage: Language = 'es'
/** Where a logo is seen. */
const logoPrefix = '/logos/'
/** Nobody collects addresses. */
const mostFormerSlugs = 50

type Calls = Pick<typeof orgSettingsApi, 'getSettings' | 'changeSettings' | 'setLogo' | 'removeLogo'>

export type OrgSettingsRoom = ServiceOf<Calls, OrgCaller> & {
  /** The zone the organization chose; undefined: none, so the installation's. Inside a transaction, with its `db`. */
  timeZoneOf(orgId: string, db?: Db): Promise<string | undefined>
  /** What it is called. Inside a transaction, with its `db`. */
  nameOf(orgId: string, db?: Db): Promise<string>
  /** The language of its mails; undefined: never chosen. Inside a transaction, with its `db`. */
  languageOf(orgId: string, db?: Db): Promise<Language | undefined>
  /** Digits of the country that people leave out when they type a number: `54`. */
  callingCodeOf(orgId: string): Promise<string>
  /** Of numbers typed without their country. */
  countryOf(orgId: string): Promise<CountryCode>
  /** @throws ORGS_SLUG_CHANGED_TOO_OFTEN */
  requireFreeChange(orgId: string, change: { slug?: string }): Promise<void>
  /** Open tabs hear of another name or address, the owners are mailed of the address. */
  announceChange(orgId: string, change: { slug?: string }, by: EventActor): Promise<void>
  readonly logos: Pick<Pictures, 'prefix' | 'read'>
  /** Deletes pictures that are nobody's logo any more; answers how many. */
  pruneLogos(now: Date): Promise<number>
}

export function createOrgSettings(parts: {
  databases: Databases
  clock: Clock
  ids(): string
  writes: Pick<Writes, 'run'>
  storage: FileStorage
  letters: OwnerLetters
  /** What the installation allows each organization; null: no limit. */
  mostFilesBytes: number | null
}): OrgSettingsRoom {
  const { databases, clock, ids, writes, letters } = parts
  const logos = createPictures(parts.storage, logoPrefix)

  const settingsOf = async (db: Db, orgId: string): Promise<OrgSettings> => {
    const stored = await findSettings(db, orgId)
    return {
      timeZone: stored?.time_zone ?? defaultTimeZone,
      language: isLanguage(stored?.language) ? stored.language : defaultLanguage,
      country: stored?.country ?? defaultCountry,
      filesLimitBytes: stored?.files_limit_bytes ?? null,
    }
  }

  /** The old picture goes after the commit, unless somebody else shows it; should that fail, `pruneLogos` finds it. */
  const putLogo = async (caller: OrgCaller, logo: string | null) => {
    const unused = await writes.run(caller.orgId, actorOf(caller), async ({ db, emit }) => {
      const before = await replaceLogo(db, caller.orgId, logo)
      emit({ type: 'organization.changed', data: {} })
      return before !== null && (await logosInUse(db, [before])).size === 0 ? before : null
    })
    await logos.remove(unused)
    return { logo }
  }

  const countryOf = async (orgId: string): Promise<CountryCode> => {
    const country = (await findSettings(databases.read, orgId))?.country
    return country && isSupportedCountry(country) ? country : defaultCountry
  }

  return {
    getSettings: member => settingsOf(databases.read, member.orgId),

    /** @throws InvalidInput for a zone or a country nobody knows, and for more room than there is. */
    async changeSettings(caller, { body }) {
      const { orgId } = caller
      if (body.timeZone !== undefined && !isTimeZone(body.timeZone))
        throw new InvalidInput([{ field: 'body.timeZone', code: 'invalid', params: {} }])
      if (body.country !== undefined && !isSupportedCountry(body.country))
        throw new InvalidInput([{ field: 'body.country', code: 'invalid', params: {} }])
      const most = parts.mostFilesBytes
      if (most !== null && (body.filesLimitBytes ?? 0) > most)
        throw new InvalidInput([{ field: 'body.filesLimitBytes', code: 'maximum', params: { limit: most } }])
      return writes.run(orgId, actorOf(caller), async ({ db, emit }) => {
        const stored = await findSettings(db, orgId)
        await saveSettings(
          db,
          orgId,
          {
            time_zone: body.timeZone ?? stored?.time_zone ?? null,
            language: body.language ?? stored?.language ?? null,
            country: body.country ?? stored?.country ?? null,
            files_limit_bytes:
              body.filesLimitBytes === undefined ? (stored?.files_limit_bytes ?? null) : body.filesLimitBytes,
          },
          isoNow(clock),
        )
        emit({ type: 'organization.changed', data: {} })
        return settingsOf(db, orgId)
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

    async timeZoneOf(orgId, db = databases.read) {
      return (await findSettings(db, orgId))?.time_zone ?? undefined
    },
    nameOf: (orgId, db = databases.read) => findName(db, orgId),
    async languageOf(orgId, db = databases.read) {
      const language = (await findSettings(db, orgId))?.language
      return isLanguage(language) ? language : undefined
    },
    callingCodeOf: async orgId => getCountryCallingCode(await countryOf(orgId)),
    countryOf,
    async requireFreeChange(orgId, { slug }) {
      if (slug === undefined) return
      if ((await countFormerSlugs(databases.read, orgId)) >= mostFormerSlugs) throw orgErrors.SLUG_CHANGED_TOO_OFTEN()
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
