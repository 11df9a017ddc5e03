import type { ReceivedFile } from '#shared/contract.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import type { OrgWrite } from '../events/writes.ts'
import type { FileStorage } from '../files/storage.ts'
import { inBatches } from '../in-batches.ts'
import { mediaPath } from './place.ts'
import { deleteReceived, insertReceived, insertSentMedia, listReceivedBefore } from './received-store.ts'

/** Files that came with calls, from their first byte until they belong to a message or are gone. */
export interface ReceivedFiles {
  /** Writes it as it comes. @throws APP_UNAVAILABLE while the storage is away or full */
  keep(orgId: string, body: AsyncIterable<Uint8Array>): Promise<Omit<ReceivedFile, 'name' | 'mime'>>
  /** From this commit on it is the file of that message. */
  take(write: OrgWrite, file: ReceivedFile, of: { messageId: string; mime: string; name: string }): Promise<void>
  /** From this commit on it is the caller's, who keeps where it lies. */
  own(write: OrgWrite, file: ReceivedFile): Promise<string>
  /** From this commit on it is nobody's again, and goes. */
  disown(write: OrgWrite, file: { id: string; path: string }): Promise<void>
  /** Removes it, unless it was taken. */
  discard(orgId: string, id: string): Promise<void>
  /** Removes what calls left that died; answers how many. */
  prune(): Promise<number>
}

/** Longer than any call lasts. */
const abandonedMs = 6 * 3_600_000
const prunedAtOnce = 100

export function createReceivedFiles(parts: {
  databases: Databases
  clock: Clock
  ids(): string
  storage: Pick<FileStorage, 'write' | 'remove'>
}): ReceivedFiles {
  const { databases, clock, ids, storage } = parts

  const discard = async (orgId: string, id: string) => {
    const path = await inTransaction(databases, trx => deleteReceived(trx, orgId, id))
    if (path !== undefined) await storage.remove(path)
  }

  const own = async ({ db, orgId }: OrgWrite, { id }: ReceivedFile): Promise<string> => {
    const path = await deleteReceived(db, orgId, id)
    if (path === undefined) throw new Error('A file was taken that is not there any more')
    return path
  }

  return {
    async keep(orgId, body) {
      const id = ids()
      const path = mediaPath(orgId, id)
      await insertReceived(databases.write, orgId, { id, path, createdAt: isoNow(clock) })
      try {
        return { id, ...(await storage.write(path, body)) }
      } catch (error) {
        await discard(orgId, id)
        throw error
      }
    },
    own,
    async take(write, file, { messageId, mime, name }) {
      const { db, orgId } = write
      const { id, size, sha256, picture } = file
      const path = await own(write, file)
      const lies = { path, size, sha256, picture, createdAt: isoNow(clock) }
      await insertSentMedia(db, orgId, { id, messageId, mime, name, ...lies })
    },
    async disown(write, { id, path }) {
      await insertReceived(write.db, write.orgId, { id, path, createdAt: isoNow(clock) })
      // What fails here is pruned.
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
