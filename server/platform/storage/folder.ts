import { openAsBlob } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { randomHex } from '#server/platform/crypto/random.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { createMeter, type FileStorage, requirePath } from './storage.ts'

/** Part of the names of files that this process is writing; its own cleanup skips them. */
const ownMark = `${randomHex(6)}-`
const diskFullSeconds = 60
/** Bytes that are written before a sync, so that a commit of the database does not wait long for the disk. */
const unsyncedBytes = 8 * 1024 * 1024

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException)?.code)

const unlessMissing = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error
}

const syncFolder = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Files in a folder of this machine, or in one that several machines share. */
export function createFolderStorage(root: string): FileStorage {
  const desk = join(root, '.partial')
  const absolute = (path: string) => join(root, requirePath(path))

  const writeTo = async (file: string, body: AsyncIterable<Uint8Array>) => {
    const handle = await open(file, 'wx', 0o600)
    const meter = createMeter()
    let unsynced = 0
    try {
      for await (const chunk of body) {
        meter.take(chunk)
        await handle.writeFile(chunk)
        unsynced += chunk.byteLength
        if (unsynced < unsyncedBytes) continue
        await handle.datasync()
        unsynced = 0
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    return meter
  }

  return {
    async write(path, body, check) {
      const absolutePath = absolute(path)
      const partial = join(desk, `${ownMark}${randomHex(12)}`)
      try {
        await mkdir(desk, { recursive: true, mode: 0o700 })
        await mkdir(dirname(absolutePath), { recursive: true, mode: 0o700 })
        const file = (await writeTo(partial, body)).facts(path)
        await check?.(file)
        await rename(partial, absolutePath)
        await syncFolder(dirname(absolutePath))
        return file
      } catch (error) {
        await rm(partial, { force: true })
        if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
        throw appErrors.UNAVAILABLE({ retryAfterSeconds: diskFullSeconds, cause: error })
      }
    },
    async read(path, range) {
      const handle = await open(absolute(path), 'r').catch(unlessMissing)
      return handle?.createReadStream(range)
    },
    async withBlob(path, use) {
      const absolutePath = absolute(path)
      if (!(await stat(absolutePath).catch(unlessMissing))) return 'missing'
      return use(await openAsBlob(absolutePath))
    },
    remove: async path => rm(absolute(path), { force: true }),
    removeBelow: async folder => rm(absolute(folder), { recursive: true, force: true }),
    async *list() {
      const entries = (await readdir(root, { recursive: true, withFileTypes: true }).catch(unlessMissing)) ?? []
      const page: { path: string; modifiedMs: number }[] = []
      for (const entry of entries) {
        const absolutePath = join(entry.parentPath, entry.name)
        if (!entry.isFile() || entry.parentPath.startsWith(desk)) continue
        const found = await stat(absolutePath).catch(unlessMissing)
        if (found) page.push({ path: relative(root, absolutePath).replaceAll(sep, '/'), modifiedMs: found.mtimeMs })
        if (page.length === 1000) yield page.splice(0)
      }
      if (page.length) yield page
    },
    async sweep(beforeMs = Number.POSITIVE_INFINITY) {
      await mkdir(desk, { recursive: true, mode: 0o700 })
      for (const name of await readdir(desk)) {
        if (name.startsWith(ownMark)) continue
        const path = join(desk, name)
        const touched = await stat(path).catch(unlessMissing)
        if (touched && touched.mtimeMs < beforeMs) await rm(path, { force: true })
      }
    },
  }
}
