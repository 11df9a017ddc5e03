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
   * Gives `write` the bytes as long as there is room for them; those of files that come in at the same time count.
   * @throws MEDIA_NO_ROOM
   */
  store<T extends { readonly size: number }>(
    orgId: string,
    body: AsyncIterable<Uint8Array>,
    write: (body: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>
  /** Whether a file of this size can be stored now; null: its size is not known. */
  hasRoom(orgId: string, size: number | null): Promise<boolean>
  /** Tells owners once when 80 % and when all of the room is taken. Call it after the commit that stored a file. */
  tellOwners(orgId: string): Promise<void>
}

/** A file that is being written, with what came of it so far. */
interface Coming {
  bytes: number
  /** All of it came: it takes its room, whoever began first. */
  isWhole: boolean
  /** It is written, and what is in use counts it from the next look on. */
  isWritten: boolean
}

/** Files of one organization that are being written, in the order in which they began. */
interface Incoming {
  files: Coming[]
  used: number
  limit: number | null
  /** One look after the other. */
  looked: Promise<void>
}

const tells = [100, 80]
/** Below this the owners are told again when 80 % is reached again. */
const forgottenBelowPercent = 70

export const createFileQuota = (parts: {
  databases: Databases
  log: Log
  writes: Pick<Writes, 'run'>
  notifyRoles: Notify['notifyRoles']
  /** What the installation allows each organization; null: no limit. */
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

  const tell = async (orgId: string, isRefused: boolean) => {
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
      await parts.notifyRoles(write, ['owner'], { words: { key, params }, redirect: '/settings/organization' })
    })
  }
  /** A notice that fails must not fail the file. */
  const tellOwners = (orgId: string, isRefused = false): Promise<void> =>
    tell(orgId, isRefused).catch(error =>
      log.error({ err: error, orgId }, 'owners were not told of the room for files'),
    )

  /** Counts afresh what is in use; what was written before is part of it from now on. */
  const lookAgain = (orgId: string, all: Incoming): Promise<void> => {
    const done = all.looked.then(async () => {
      const written = new Set(all.files.filter(file => file.isWritten))
      const { bytes, limit } = await look(orgId)
      all.used = bytes
      all.limit = limit
      all.files = all.files.filter(file => !written.has(file))
    })
    all.looked = done.catch(() => undefined)
    return done
  }

  const incomingOf = (orgId: string): Incoming => {
    const all = incoming.get(orgId) ?? { files: [], used: 0, limit: null, looked: Promise.resolve() }
    incoming.set(orgId, all)
    return all
  }

  /** Whoever began first has the room: of several that do not fit together those that fit are stored. */
  const isTooMuch = ({ files, used, limit }: Incoming, own: Coming): boolean => {
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
    if (isTooMuch(all, own)) throw noRoom(all.limit ?? 0)
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
        // Who began before may have taken the room since.
        requireRoom(all, own)
        own.isWhole = true
      }
      try {
        await lookAgain(orgId, all)
        const written = await write(limited())
        own.isWhole = true
        own.isWritten = true
        return written
      } catch (error) {
        all.files = all.files.filter(file => file !== own)
        if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM') void tellOwners(orgId, true)
        throw error
      } finally {
        if (all.files.every(file => file.isWritten)) incoming.delete(orgId)
      }
    },
    async hasRoom(orgId, size) {
      const { bytes, limit } = await look(orgId)
      if (limit === null || bytes + Math.max(1, size ?? 1) <= limit) return true
      await tellOwners(orgId, true)
      return false
    },
    tellOwners,
  }
}
