import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { FileStorage } from '#server/platform/storage/storage.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import { detectType } from './content-type.ts'
import { mediaPath } from './path.ts'
import type { FileQuota } from './quota.ts'
import {
  deleteReceived,
  insertReceived,
  insertSentMedia,
  listReceivedBefore,
  saveReceivedSize,
} from './received-store.ts'

interface Owned {
  readonly path: string
  /** Person or key. */
  readonly broughtBy: string | null
}

/** Uploaded files, from their first byte until they belong to a message or are deleted. */
export interface ReceivedFiles {
  /**
   * Stores a file as it arrives. `broughtBy`: the person or key of the request. @throws APP_UNAVAILABLE while the
   * storage is away or full, MEDIA_NO_ROOM
   */
  keep(orgId: string, body: AsyncIterable<Uint8Array>, broughtBy: string): Promise<Omit<ReceivedFile, 'name' | 'mime'>>
  /** Checks that the other bytes of a file that comes in pieces fit. @throws MEDIA_NO_ROOM if they do not */
  requireRoom(orgId: string, bytes: number): Promise<void>
  /** Makes it the file of that message, in the caller's transaction. */
  take(write: OrgWrite, file: ReceivedFile, of: { messageId: string; mime: string; name: string }): Promise<void>
  /** Makes it the caller's, who stores its path and uploader, in the caller's transaction. */
  own(write: { readonly db: Db; readonly orgId: string }, file: Pick<ReceivedFile, 'id'>): Promise<Owned>
  /** Returns a file that the caller owned. It is deleted after the commit. */
  disown(write: OrgWrite, file: { id: string; path: string; size: number }): Promise<void>
  /** Deletes it, unless it was taken. */
  discard(orgId: string, id: string): Promise<void>
  /** Deletes files of requests that died. Returns how many. */
  prune(): Promise<number>
}

/** Longer than any request takes. */
const abandonedMs = 6 * 3_600_000
const prunedAtOnce = 100

export function createReceivedFiles(parts: {
  databases: Databases
  clock: Clock
  ids(): string
  storage: Pick<FileStorage, 'write' | 'remove'>
  quota: Pick<FileQuota, 'store' | 'notifyOwners' | 'requireRoom'>
}): ReceivedFiles {
  const { databases, clock, ids, storage, quota } = parts

  const discard = async (orgId: string, id: string) => {
    const file = await inTransaction(databases, trx => deleteReceived(trx, orgId, id))
    if (file) await storage.remove(file.path)
  }

  const own: ReceivedFiles['own'] = async ({ db, orgId }, { id }) => {
    const file = await deleteReceived(db, orgId, id)
    if (!file) throw new Error('A file was taken that is not there any more')
    return { path: file.path, broughtBy: file.brought_by }
  }

  return {
    async keep(orgId, body, broughtBy) {
      const id = ids()
      const path = mediaPath(orgId, id)
      await insertReceived(databases.write, orgId, { id, path, size: null, broughtBy, createdAt: isoNow(clock) })
      try {
        const file = await quota.store(orgId, body, async bytes => {
          const written = await storage.write(path, bytes)
          await saveReceivedSize(databases.write, orgId, id, written.size)
          return written
        })
        await quota.notifyOwners(orgId)
        return { id, ...file, found: await detectType(file.head) }
      } catch (error) {
        await discard(orgId, id)
        throw error
      }
    },
    requireRoom: quota.requireRoom,
    own,
    async take(write, file, { messageId, mime, name }) {
      const { db, orgId } = write
      const { id, size, sha256, picture } = file
      const { path } = await own(write, file)
      const lies = { path, size, sha256, picture, createdAt: isoNow(clock) }
      await insertSentMedia(db, orgId, { id, messageId, mime, name, ...lies })
    },
    async disown(write, { id, path, size }) {
      const file = { id, path, size, broughtBy: null, createdAt: isoNow(clock) }
      await insertReceived(write.db, write.orgId, file)
      // If this fails, it is pruned later.
      write.afterCommit(() => void discard(write.orgId, id).catch(() => undefined))
    },
    discard,
    prune: () =>
      inBatches(prunedAtOnce, async limit => {
        const old = await listReceivedBefore(databases.read, isoIn(clock, -abandonedMs), limit)
        for (const { id, org_id } of old) await discard(org_id, id)
        return old.length
      }),
  }
}
