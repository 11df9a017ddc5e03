import { buffer } from 'node:stream/consumers'
import { bytesOfBase64 } from '#server/platform/text/base64.ts'
import { pictureMaxBytes, pictureMaxSide } from '#shared/media/pictures.ts'
import { type Picture, pictureOf } from './picture.ts'
import type { FileStorage } from './storage.ts'

const nameForm = /^[0-9a-z]{10,40}\.(png|jpg|webp)$/
const types: Readonly<Record<string, Picture['type']>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }
/** A younger picture may not be in the database yet. */
const orphanAfterMs = 86_400_000

type ReadPicture = { readonly bytes: Buffer; readonly extension: Picture['extension'] }

/** The uploaded picture, or what is wrong with it. */
export function readPicture(dataBase64: string): ReadPicture | 'tooLarge' | 'notImage' {
  const bytes = bytesOfBase64(dataBase64)
  if (bytes && bytes.length > pictureMaxBytes) return 'tooLarge'
  const picture = bytes && pictureOf(bytes)
  if (!bytes || !picture) return 'notImage'
  if (Math.max(picture.width, picture.height) > pictureMaxSide) return 'tooLarge'
  return { bytes, extension: picture.extension }
}

/** Small public pictures. The content of a name never changes. */
export interface Pictures {
  /** Prefix of every address, with `/` at both ends. */
  readonly prefix: string
  /** Returns the address. */
  store(id: string, picture: ReadPicture): Promise<string>
  /** Undefined: there is no picture with that name. */
  read(name: string): Promise<{ bytes: Buffer; type: Picture['type'] } | undefined>
  /** Deletes by address; an address that is not ours is ignored. */
  remove(address: string | null): Promise<void>
  /** Deletes pictures older than a day whose address `inUse` does not return. Returns how many. */
  prune(now: Date, inUse: (addresses: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>
}

export function createPictures(storage: FileStorage, prefix: string): Pictures {
  return {
    prefix,
    async store(id, { bytes, extension }) {
      const name = `${id}.${extension}`
      const body = async function* () {
        yield bytes
      }
      await storage.write(name, body())
      return prefix + name
    },
    async read(name) {
      if (!nameForm.test(name)) return undefined
      const file = await storage.read(name)
      return (
        file && { bytes: await buffer(file), type: types[name.slice(name.lastIndexOf('.') + 1)] as Picture['type'] }
      )
    },
    async remove(address) {
      const name = address?.startsWith(prefix) ? address.slice(prefix.length) : ''
      if (nameForm.test(name)) await storage.remove(name)
    },
    async prune(now, inUse) {
      const longAgo = now.getTime() - orphanAfterMs
      await storage.sweep(longAgo)
      let pruned = 0
      for await (const page of storage.list()) {
        const old = page.filter(({ path, modifiedMs }) => nameForm.test(path) && modifiedMs < longAgo)
        const used = await inUse(old.map(({ path }) => prefix + path))
        const orphans = old.filter(({ path }) => !used.has(prefix + path))
        for (const { path } of orphans) await storage.remove(path)
        pruned += orphans.length
      }
      return pruned
    },
  }
}
