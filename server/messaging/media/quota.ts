import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { bytesText } from '#shared/media/sent-files.ts'
import type { fileUseApi } from '#shared/media/use.ts'
import { mediaErrors } from './errors.ts'
import { findFileUse, saveNoticedPercent } from './quota-store.ts'

export interface FileQuota {
  readonly service: ServiceOf<typeof fileUseApi, OrgCaller>
  /**
   * Passes the bytes to `write` while the quota allows it. Files that are being stored at the same time count too.
   * @throws MEDIA_NO_ROOM
   */
  store<T extends { readonly size: number }>(
    orgId: string,
    body: AsyncIterable<Uint8Array>,
    write: (body: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>
  /** @throws MEDIA_NO_ROOM if these bytes, which have not arrived yet, would exceed the quota */
  requireRoom(orgId: string, bytes: number): Promise<void>
  /** True if a file of this size fits now. Null: its size is not known. */
  hasRoom(orgId: string, size: number | null): Promise<boolean>
  /** Notifies owners once at 80 % and at 100 % of the quota. Call it after the commit that stored a file. */
  notifyOwners(orgId: string): Promise<void>
}

/** A file that is being written. */
interface Coming {
  bytes: number
  /** All bytes arrived: it counts before files that began earlier and are incomplete. */
  isWhole: boolean
  /** Written: the next query of the used bytes includes it. */
  isWritten: boolean
}

/** Files of one organization that are being written, in the order they began. */
interface Incoming {
  files: Coming[]
  used: number
  limit: number | null
  /** Runs queries one after another. */
  refreshing: Promise<void>
}

const tells = [100, 80]
/** Below this percentage, owners are notified of 80 % again. */
const forgottenBelowPercent = 70

export const createFileQuota = (parts: {
  databases: Databases
  log: Log
  writes: Pick<Writes, 'run'>
  notifyRoles: Notify['notifyRoles']
  /** The installation's limit per organization in bytes. Null: none. */
  mostBytes: number | null
}): FileQuota => {
  const { databases, log, writes, mostBytes } = parts
  const incoming = new Map<string, Incoming>()

  const look = async (orgId: string) => {
    const { bytes, noticedPercent, ownLimit } = await findFileUse(databases.read, orgId)
    const limits = [mostBytes, ownLimit].filter(limit => limit !== null)
    return { bytes, noticedPercent, limit: limits.length ? Math.min(...limits) : null }
  }

  const noRoom = (limit: number) => mediaErrors.NO_ROOM({ params: { limit: bytesText(limit) } })

  const notify = async (orgId: string, isRefused: boolean) => {
    const { bytes, noticedPercent, limit } = await look(orgId)
    if (limit === null) return
    const percent = isRefused ? 100 : Math.floor((bytes * 100) / limit)
    const reached = tells.find(one => percent >= one) ?? 0
    if (reached === noticedPercent) return
    if (reached < noticedPercent && percent >= forgottenBelowPercent) return
    await writes.run(orgId, systemActor('files'), async write => {
      if (!(await saveNoticedPercent(write.db, orgId, reached)) || reached < noticedPercent) return
      const params = { used: bytesText(Math.min(bytes, limit)), limit: bytesText(limit) }
      const key = reached === 100 ? 'filesFull' : 'filesNearlyFull'
      await parts.notifyRoles(write, ['owner'], { words: { key, params }, redirect: '/settings/data' })
    })
  }
  /** A failed notice must not fail the file. */
  const notifyOwners = (orgId: string, isRefused = false): Promise<void> =>
    notify(orgId, isRefused).catch(error =>
      log.error({ err: error, orgId }, 'notifying owners of the file quota failed'),
    )

  /** Queries the used bytes. Files written before are included from now on. */
  const refreshUse = (orgId: string, all: Incoming): Promise<void> => {
    const done = all.refreshing.then(async () => {
      const written = new Set(all.files.filter(file => file.isWritten))
      const { bytes, limit } = await look(orgId)
      all.used = bytes
      all.limit = limit
      all.files = all.files.filter(file => !written.has(file))
    })
    all.refreshing = done.catch(() => undefined)
    return done
  }

  const incomingOf = (orgId: string): Incoming => {
    const all = incoming.get(orgId) ?? { files: [], used: 0, limit: null, refreshing: Promise.resolve() }
    incoming.set(orgId, all)
    return all
  }

  /**
   * Compares the quota with the stored files, this upload, complete uploads and those that began before this one. Later
   * uploads do not count, so that of several uploads that are too large only together, some are accepted.
   */
  const exceedsQuota = ({ files, used, limit }: Incoming, own: Coming): boolean => {
    if (limit === null) return false
    let sum = used + own.bytes
    let isEarlier = true
    for (const file of files) {
      if (file === own) isEarlier = false
      else if (isEarlier || file.isWhole) sum += file.bytes
    }
    return sum > limit
  }

  const requireRoom = (all: Incoming, own: Coming) => {
    if (exceedsQuota(all, own)) throw noRoom(all.limit ?? 0)
  }

  return {
    service: {
      async getFileUse({ orgId }) {
        const { bytes, limit } = await look(orgId)
        return { bytes, limitBytes: limit, mostBytes }
      },
    },
    async store(orgId, body, write) {
      const all = incomingOf(orgId)
      const own: Coming = { bytes: 0, isWhole: false, isWritten: false }
      all.files.push(own)
      const limited = async function* () {
        for await (const chunk of body) {
          own.bytes += chunk.byteLength
          requireRoom(all, own)
          yield chunk
        }
        // An earlier file may have used up the quota meanwhile.
        requireRoom(all, own)
        own.isWhole = true
      }
      try {
        await refreshUse(orgId, all)
        const written = await write(limited())
        own.isWhole = true
        own.isWritten = true
        return written
      } catch (error) {
        all.files = all.files.filter(file => file !== own)
        if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM') void notifyOwners(orgId, true)
        throw error
      } finally {
        if (all.files.every(file => file.isWritten)) incoming.delete(orgId)
      }
    },
    async requireRoom(orgId, coming) {
      const { bytes, limit } = await look(orgId)
      if (limit === null || bytes + coming <= limit) return
      await notifyOwners(orgId, true)
      throw noRoom(limit)
    },
    async hasRoom(orgId, size) {
      const { bytes, limit } = await look(orgId)
      if (limit === null || bytes + Math.max(1, size ?? 1) <= limit) return true
      await notifyOwners(orgId, true)
      return false
    },
    notifyOwners,
  }
}
