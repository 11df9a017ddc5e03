import type { ReceivedFiles } from '#server/messaging/media/received.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { retentionCutoff } from '#shared/orgs/retention.ts'
import { deleteFile, listFiles } from './media-store.ts'
import { isAnySendPrepared, readNamingTexts } from './naming-store.ts'
import {
  findRetentionMonths,
  isStillSentAt,
  listFilesToLook,
  listOrgsToLook,
  listSentInOnly,
  markLooked,
} from './unused-files-store.ts'

export interface UnusedFiles {
  /** Deletes unused files. Returns how many. */
  prune(now: Date): Promise<number>
  /** Deletes files that only messages of these conversations carried. Returns how many. */
  forget(orgId: string, conversationIds: readonly string[]): Promise<number>
}

const dayMs = 24 * 60 * 60 * 1000
const orgsAtOnce = 100
const filesAtOnce = 500

/** Handles (`media:…`), addresses (`…/template/media/…`), and a template's list of files (`"id":"…"`). */
const named = /(?:media[:/]|"id":")([A-Za-z0-9_-]{1,64})/g

/** Deletes header files that nothing uses, or whose last message is older than the organization's retention. */
export function createUnusedFiles(parts: {
  databases: Databases
  clock: Clock
  writes: Pick<Writes, 'run'>
  received: Pick<ReceivedFiles, 'disown'>
}): UnusedFiles {
  const { databases, clock, writes, received } = parts

  const listNamed = async (orgId: string): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>()
    for await (const texts of readNamingTexts(databases.read, orgId)) {
      for (const text of texts) for (const found of text?.matchAll(named) ?? []) ids.add(found[1] as string)
      await databases.turn.giveWay()
    }
    return ids
  }

  const remove = (orgId: string, id: string, mayGo: (db: Db) => Promise<boolean>): Promise<boolean> =>
    writes.run(orgId, systemActor('files'), async write => {
      const file = (await listFiles(write.db, orgId, [id])).get(id)
      if (!file || !(await mayGo(write.db))) return false
      await deleteFile(write.db, orgId, id)
      await received.disown(write, file)
      return true
    })

  const pruneOrg = async (orgId: string, now: Date, before: string): Promise<number> => {
    if (await isAnySendPrepared(databases.read, orgId)) return 0
    const files = await listFilesToLook(databases.read, orgId, before, filesAtOnce)
    const months = await findRetentionMonths(databases.read, orgId)
    const cutoff = months === null ? '' : retentionCutoff(now, months)
    const over = files.filter(({ sentAt }) => sentAt === null || sentAt < cutoff)
    const inUse = over.length ? await listNamed(orgId) : new Set()
    const looked = files.map(({ id }) => id)
    await writes.run(orgId, systemActor('files'), ({ db }) => markLooked(db, orgId, looked, isoNow(clock)))
    let gone = 0
    // A message may have been sent with it since.
    for (const file of over)
      if (!inUse.has(file.id) && (await remove(orgId, file.id, db => isStillSentAt(db, orgId, file)))) gone += 1
    return gone
  }

  return {
    async prune(now) {
      const before = isoIn(clock, -dayMs)
      let gone = 0
      for (const orgId of await listOrgsToLook(databases.read, before, orgsAtOnce))
        gone += await pruneOrg(orgId, now, before)
      return gone
    },
    async forget(orgId, conversationIds) {
      const ids = await listSentInOnly(databases.read, orgId, conversationIds)
      if (!ids.length) return 0
      const inUse = await listNamed(orgId)
      let gone = 0
      for (const id of ids) if (!inUse.has(id) && (await remove(orgId, id, async () => true))) gone += 1
      return gone
    },
  }
}
