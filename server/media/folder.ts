import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { randomHex } from '../random.ts'
import { sniffedBytes } from './kind.ts'

export interface StoredFile {
  /** Relative to the folder. */
  path: string
  size: number
  /** Lowercase hex. */
  sha256: string
  /** The first bytes, for telling the kind. */
  head: Buffer
}

/** Files of messages under `DATA_DIR/media`: a file is there whole and on disk, or not at all. */
export interface MediaFolder {
  /**
   * Writes the stream beside its place, syncs it and moves it in; `check` may throw before it is moved. What fails
   * leaves nothing behind.
   */
  store(
    orgId: string,
    id: string,
    body: AsyncIterable<Uint8Array>,
    check: (file: StoredFile) => void,
  ): Promise<StoredFile>
  /** Where a file of this id is kept, relative to the folder. */
  placeOf(orgId: string, id: string): string
  /** Absolute path of a stored file. @throws when the stored path leads outside the folder */
  pathOf(path: string): string
  /** Removes a stored file; one that is gone already is no fault. */
  remove(path: string): Promise<void>
  /** Removes every file of an organization. */
  removeAll(orgId: string): Promise<void>
  /** Removes what an earlier process left half written. */
  sweep(): Promise<void>
}

/** Marks what this process is writing, which its own sweep leaves alone. */
const ownMark = `${randomHex(6)}-`

const syncFolder = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function createMediaFolder(dataDir: string): MediaFolder {
  const root = resolve(dataDir, 'media')
  const desk = join(root, '.partial')

  const pathOf = (path: string) => {
    const absolute = resolve(root, path)
    if (!absolute.startsWith(root + sep)) throw new Error('A stored path leads outside the media folder')
    return absolute
  }

  const write = async (file: string, body: AsyncIterable<Uint8Array>) => {
    const handle = await open(file, 'wx', 0o600)
    const hash = createHash('sha256')
    const heads: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of body) {
        if (size < sniffedBytes) heads.push(chunk.subarray(0, sniffedBytes - size))
        hash.update(chunk)
        size += chunk.byteLength
        await handle.writeFile(chunk)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    return { size, sha256: hash.digest('hex'), head: Buffer.concat(heads) }
  }

  // The end of an id is random, its beginning is the time.
  const placeOf = (orgId: string, id: string) => join(orgId, id.slice(-2), id)

  return {
    placeOf,
    pathOf,
    async store(orgId, id, body, check) {
      const path = placeOf(orgId, id)
      const place = pathOf(path)
      const partial = join(desk, `${ownMark}${id}-${randomHex(6)}`)
      await mkdir(desk, { recursive: true, mode: 0o700 })
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      try {
        const file = { path, ...(await write(partial, body)) }
        check(file)
        await rename(partial, place)
        await syncFolder(dirname(place))
        return file
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    remove: path => rm(pathOf(path), { force: true }),
    removeAll: orgId => rm(pathOf(orgId), { recursive: true, force: true }),
    async sweep() {
      await mkdir(desk, { recursive: true, mode: 0o700 })
      for (const name of await readdir(desk)) if (!name.startsWith(ownMark)) await rm(join(desk, name), { force: true })
    },
  }
}
