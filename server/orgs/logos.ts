import { buffer } from 'node:stream/consumers'
import type { FileStorage } from '../files/storage.ts'
import type { Picture } from './picture.ts'

/** Where a logo is seen; the name never gets other bytes. */
export const logoPrefix = '/logos/'
const nameForm = /^[0-9a-z]{10,40}\.(png|jpg|webp)$/
const types: Readonly<Record<string, Picture['type']>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

/** The name in a logo's address; undefined when it is none of ours. */
export const logoNameOf = (address: string | null): string | undefined => {
  const name = address?.startsWith(logoPrefix) ? address.slice(logoPrefix.length) : ''
  return nameForm.test(name) ? name : undefined
}

/** The pictures of organizations. */
export interface Logos {
  /** Answers the name. */
  store(id: string, extension: Picture['extension'], bytes: Buffer): Promise<string>
  /** Undefined: there is none of that name. */
  read(name: string): Promise<{ bytes: Buffer; type: Picture['type'] } | undefined>
  remove(name: string): Promise<void>
  /** Removes what uploads from before `ms` since 1970 left half written. */
  sweep(ms: number): Promise<void>
  /** The names of files from before `ms` since 1970, a page at a time. */
  listBefore(ms: number): AsyncIterable<string[]>
}

export function createLogos(storage: FileStorage): Logos {
  return {
    async store(id, extension, bytes) {
      const name = `${id}.${extension}`
      const body = async function* () {
        yield bytes
      }
      await storage.write(name, body())
      return name
    },
    async read(name) {
      if (!nameForm.test(name)) return undefined
      const file = await storage.read(name)
      return (
        file && { bytes: await buffer(file), type: types[name.slice(name.lastIndexOf('.') + 1)] as Picture['type'] }
      )
    },
    remove: name => storage.remove(name),
    sweep: ms => storage.sweep(ms),
    async *listBefore(ms) {
      for await (const page of storage.list())
        yield page.filter(({ path, modifiedMs }) => nameForm.test(path) && modifiedMs < ms).map(({ path }) => path)
    },
  }
}
