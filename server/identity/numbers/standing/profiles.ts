import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { readPicture } from '#server/platform/storage/pictures.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { WhatsAppAccount } from '#server/whatsapp/management/account.ts'
import type { BusinessProfile, PictureBytes, ProfileKeeper } from '#server/whatsapp/management/business-profile.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { ConnectionProfile, numberStandingApi } from '#shared/numbers/standing.ts'
import { findOne } from '../chosen-number.ts'
import { connectionRead } from '../connecting/connections.ts'
import { numbersErrors } from '../errors.ts'
import type { OpenConnection } from '../keyring.ts'
import { asked } from '../refusals.ts'
import type { StoredConnection } from '../store.ts'
import { unreadableKeys } from '../unusable-number.ts'
import { dataAddress, factsWithout, notAsked, partValue, readProfile, readStored } from './facts.ts'
import { findStanding, type StoredStanding, saveStanding } from './store.ts'

export interface ProfileParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly numbers: { findByConnectionId(id: string): Promise<OpenConnection | undefined> }
  profileFor(opened: OpenConnection): ProfileKeeper
  accountFor(opened: OpenConnection): Pick<WhatsAppAccount, 'uploadFile'>
}

type ProfileCalls = Pick<
  ServiceOf<typeof numberStandingApi, OrgCaller>,
  'getProfile' | 'changeProfile' | 'setProfilePicture'
>

const emptyProfile: BusinessProfile = { about: '', address: '', description: '', email: '', websites: [], vertical: '' }

/** The business profile that customers see: as last read, and changed at Meta. */
export function createProfiles(parts: ProfileParts): ProfileCalls {
  const { databases, clock, writes, numbers } = parts

  const presentProfile = (stored: StoredStanding | undefined): ConnectionProfile => {
    const profile = partValue(readStored(stored)?.profile)
    const { websites, ...texts } = profile ?? emptyProfile
    return {
      ...texts,
      readAt: (profile && stored?.readAt) ?? null,
      websites: [...websites],
      picture: stored?.picture ?? null,
    }
  }

  const openedOf = async (known: StoredConnection) => {
    const opened = await numbers.findByConnectionId(known.id)
    if (!opened) throw numbersErrors.TOKEN_REFUSED({ params: { code: unreadableKeys } })
    return opened
  }

  /**
   * Reads the profile again after a change, so that Meta's version is shown; if Meta does not answer, what was sent.
   * @param taken the picture just uploaded: Meta may return the old one for a while, and returns large ones unscaled
   */
  const profileAfter = async (
    caller: OrgCaller,
    known: StoredConnection,
    change: Partial<BusinessProfile>,
    taken?: PictureBytes,
  ) => {
    const keeper = parts.profileFor(await openedOf(known))
    const reading = await readProfile(keeper)
    const { said } = reading
    const picture = taken ? dataAddress(taken) : reading.picture
    return writes.run(known.orgId, actorOf(caller), async write => {
      const stored = await findStanding(write.db, known.orgId, known.id)
      const before = readStored(stored) ?? factsWithout(notAsked)
      const profile = 'value' in said ? said : { value: { ...(partValue(before.profile) ?? emptyProfile), ...change } }
      const next = {
        readAt: stored?.readAt ?? isoNow(clock),
        facts: JSON.stringify({ ...before, profile }),
        picture: picture === undefined ? (stored?.picture ?? null) : picture,
      }
      await saveStanding(write.db, known.orgId, known.id, next)
      write.emit(connectionRead(known))
      return presentProfile(next)
    })
  }

  return {
    async getProfile(caller, { query }) {
      const known = await findOne(databases.read, caller.orgId, query)
      return presentProfile(await findStanding(databases.read, caller.orgId, known.id))
    },

    async changeProfile(caller, { query, body }) {
      const known = await findOne(databases.read, caller.orgId, query)
      const keeper = parts.profileFor(await openedOf(known))
      const website = body.websites?.findIndex(one => !/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(one.trim())) ?? -1
      if (website >= 0) throw new InvalidInput([{ field: `body.websites.${website}`, code: 'invalid', params: {} }])
      const email = body.email?.trim()
      if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
        throw new InvalidInput([{ field: 'body.email', code: 'invalid', params: {} }])
      const trimmed = Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.trim() : value.map(one => one.trim()),
        ]),
      )
      const [field, ...others] = Object.keys(body)
      await asked(keeper.change(trimmed), { name: 'PROFILE_REFUSED', field: others.length ? undefined : field })
      return profileAfter(caller, known, trimmed)
    },

    async setProfilePicture(caller, { query, body }) {
      const known = await findOne(databases.read, caller.orgId, query)
      const picture = readPicture(body.dataBase64)
      if (picture === 'tooLarge' || picture === 'notImage' || picture.extension === 'webp')
        throw new InvalidInput(
          [{ field: 'body.dataBase64', code: 'invalid', params: {} }],
          numbersErrors.PICTURE_REFUSED().code,
        )
      const opened = await openedOf(known)
      const mime = picture.extension === 'png' ? 'image/png' : 'image/jpeg'
      const bytes = new Blob([new Uint8Array(picture.bytes)], { type: mime })
      const pictureHandle = await asked(
        parts.accountFor(opened).uploadFile({ name: `profile.${picture.extension}`, mime, bytes }),
      )
      await asked(parts.profileFor(opened).change({ pictureHandle }))
      return profileAfter(caller, known, {}, { mime, bytes: picture.bytes })
    },
  }
}
