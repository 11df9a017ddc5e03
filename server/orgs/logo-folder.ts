import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { randomHex } from '../random.ts'
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

/** Logos under `DATA_DIR/logos`: a file is there whole and on disk, or not at all. */
export interface LogoFolder {
  /** Answers the name. */
  store(id: string, extension: Picture['extension'], bytes: Buffer): Promise<string>
  /** Undefined: there is none of that name. */
  read(name: string): Promise<{ bytes: Buffer; type: Picture['type'] } | undefined>
  remove(name: string): Promise<void>
  /** Up to `limit` names of files from before `ms` since 1970. */
  listBefore(ms: number, limit: number): Promise<string[]>
}

export function createLogoFolder(dataDir: string): LogoFolder {
  const root = resolve(dataDir, 'logos')
  return {
    async store(id, extension, bytes) {
      const name = `${id}.${extension}`
      await mkdir(root, { recursive: true, mode: 0o700 })
      const partial = join(root, `.${name}.${randomHex(4)}`)
      try {
        const file = await open(partial, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(partial, join(root, name))
        const folder = await open(root, 'r')
        try {
          await folder.sync()
        } finally {
          await folder.close()
        }
        return name
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async read(name) {
      if (!nameForm.test(name)) return undefined
      try {
        const type = types[name.slice(name.lastIndexOf('.') + 1)] as Picture['type']
        return { bytes: await readFile(join(root, name)), type }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove: name => rm(join(root, name), { force: true }),
    async listBefore(ms, limit) {
      let names: string[]
      try {
        names = await readdir(root)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
      const old: string[] = []
      for (const name of names) {
        if (old.length === limit) break
        if ((await stat(join(root, name))).mtimeMs < ms) old.push(name)
      }
      return old
    },
  }
}
