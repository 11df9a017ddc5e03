import type { FastifyInstance } from 'fastify'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { mountPictures } from '#server/platform/storage/picture-route.ts'
import { createPictures, type Pictures, readPicture } from '#server/platform/storage/pictures.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { profileApi } from '#shared/auth/profile.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { authErrors } from '../errors.ts'
import { requireOwnAccount } from '../sessions/bound-sessions.ts'
import { imagesInUse, replaceImage, saveSignature } from './profile-store.ts'

/** Path prefix under which pictures are served. */
const picturePrefix = '/pictures/'

export interface Profiles {
  readonly service: ServiceOf<typeof profileApi, Person>
  readonly pictures: Pick<Pictures, 'prefix' | 'read'>
  /** Deletes pictures that no person uses; returns how many. */
  prunePictures(now: Date): Promise<number>
}

export function createProfiles({
  databases,
  clock,
  ids,
  storage,
}: {
  databases: Databases
  clock: Clock
  ids(): string
  storage: FileStorage
}): Profiles {
  const pictures = createPictures(storage, picturePrefix)

  /** An administrator who impersonates somebody may look around, but not change their profile. */
  const requireOwnProfile = async (person: Person) => {
    if (person.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await requireOwnAccount(databases.read, person)
  }

  /**
   * The old picture's file is deleted after the commit, unless another person uses it. If that fails, `prunePictures`
   * deletes it later.
   */
  const put = async ({ userId }: Person, image: string | null) => {
    const unused = await inTransaction(databases, async trx => {
      const before = await replaceImage(trx, userId, image, isoNow(clock))
      return before !== null && (await imagesInUse(trx, [before])).size === 0 ? before : null
    })
    await pictures.remove(unused)
    return { image }
  }

  return {
    service: {
      /** @throws AUTH_PICTURE_TOO_LARGE, AUTH_PICTURE_INVALID */
      async setPicture(person, { body: { dataBase64 } }) {
        await requireOwnProfile(person)
        const fields = ['body.dataBase64']
        const picture = readPicture(dataBase64)
        if (picture === 'tooLarge') throw authErrors.PICTURE_TOO_LARGE({ fields })
        if (picture === 'notImage') throw authErrors.PICTURE_INVALID({ fields })
        return put(person, await pictures.store(ids(), picture))
      },

      async removePicture(person) {
        await requireOwnProfile(person)
        return put(person, null)
      },

      async setSignature(person, { body }) {
        await requireOwnProfile(person)
        const signature = body.signature.replaceAll('\r\n', '\n').trim()
        await saveSignature(databases.write, person.userId, signature || null, isoNow(clock))
        return { signature }
      },
    },
    pictures,
    prunePictures: now => pictures.prune(now, addresses => imagesInUse(databases.read, addresses)),
  }
}

/** `GET /pictures/:name`. */
export const mountPersonPictures = (app: FastifyInstance, { profiles }: { profiles: Pick<Profiles, 'pictures'> }) =>
  mountPictures(app, {
    pictures: profiles.pictures,
    service: 'profile',
    name: 'picture',
    summary: 'The picture of a person.',
    missing: () => authErrors.PICTURE_NOT_FOUND(),
  })
