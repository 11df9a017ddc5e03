import { retentionCutoff } from '#shared/retention.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import type { Databases } from '../db.ts'
import { systemActor } from '../events/actors.ts'
import type { Writes } from '../events/writes.ts'
import type { ReceivedFiles } from '../media/received.ts'
import { deleteFile, listFiles } from './media-store.ts'
import {
  findRetentionMonths,
  hasSendsUnderWay,
  type LookedFile,
  listFilesToLook,
  listOrgsToLook,
  listSentInOnly,
  markLooked,
  namingPages,
} from './unused-files-store.ts'

export interface UnusedFiles {
  /** Deletes files that nothing names; answers how many. */
  prune(now: Date): Promise<number>
  /** Deletes what only messages of these conversations carried. */
  forget(orgId: string, conversationIds: readonly string[]): Promise<number>
}

const dayMs = 24 * 60 * 60 * 1000
const orgsAtOnce = 100
const filesAtOnce = 500

/** As handles (`media:…`), as addresses (`…/template/media/…`), and in the list of a template's own files (`"id":"…"`). */
const named = /(?:media[:/]|"id":")([A-Za-z0-9_-]{1,64})/g

/** Files of headers that were brought and that nothing uses, or whose last message is older than the organization keeps. */
export function createUnusedFiles(parts: {
  databases: Databases
  clock: Clock
  writes: Pick<Writes, 'run'>
  received: Pick<ReceivedFiles, 'disown'>
}): UnusedFiles {
  const { databases, clock, writes, received } = parts

  const listNamed = async (orgId: string): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>()
    for (const read of namingPages) {
      let after: string | undefined = ''
      while (after !== undefined) {
        await databases.turn.giveWay()
        const page = await read(databases.read, orgId, after)
        for (const text of page.texts) for (const found of text?.matchAll(named) ?? []) ids.add(found[1] as string)
        after = page.next
      }
    }
    return ids
  }

  const remove = async (orgId: string, ids: readonly string[]): Promise<number> => {
    for (const id of ids)
      await writes.run(orgId, systemActor('files'), async write => {
        const file = (await listFiles(write.db, orgId, [id])).get(id)
        if (!file) return
        await deleteFile(write.db, orgId, id)
        await received.disown(write, file)
      })
    return ids.length
  }

  const pruneOrg = async (orgId: string, now: Date, before: string): Promise<number> => {
    const files = await listFilesToLook(databases.read, orgId, before, filesAtOnce)
    const months = await findRetentionMonths(databases.read, orgId)
    const cutoff = months === null ? '' : retentionCutoff(now, months)
    const isOver = ({ sentAt }: LookedFile) => sentAt === null || sentAt < cutoff
    const over = files.filter(isOver)
    const inUse = over.length && !(await hasSendsUnderWay(databases.read, orgId)) ? await listNamed(orgId) : undefined
    const unused = inUse ? over.filter(({ id }) => !inUse.has(id)).map(({ id }) => id) : []
    const looked = files.map(({ id }) => id)
    await writes.run(orgId, systemActor('files'), ({ db }) => markLooked(db, orgId, looked, isoNow(clock)))
    return remove(orgId, unused)
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
      return remove(
        orgId,
        ids.filter(id => !inUse.has(id)),
      )
    },
  }
}
