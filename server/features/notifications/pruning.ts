import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { keptNotifications } from '#shared/notifications/api.ts'
import { deleteNotificationsBefore, listOwners, type Owner, trimNotifications } from './store.ts'

const keptMs = keptNotifications.days * 24 * 60 * 60 * 1000
const pruneRows = 500
const pruneReaders = 200

/** Keeps each person's newest thousand. One person after another, with pauses, because there can be many. */
async function trimAll(databases: Databases): Promise<number> {
  let gone = 0
  let after: Owner | undefined
  do {
    const readers = await listOwners(databases.read, after, pruneReaders)
    for (const { orgId, userId } of readers) {
      gone += await inBatches(pruneRows, limit =>
        inTransaction(databases, trx =>
          trimNotifications(trx, orgId, userId, { kept: keptNotifications.perPerson, limit }),
        ),
      )
      await nextTurn()
    }
    after = readers.at(-1)
  } while (after)
  return gone
}

/** Deletes notifications older than 90 days, and beyond a person's newest thousand. Returns how many. */
export async function pruneNotifications(databases: Databases, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptMs).toISOString()
  const old = await inBatches(pruneRows, limit =>
    inTransaction(databases, trx => deleteNotificationsBefore(trx, before, limit)),
  )
  return old + (await trimAll(databases))
}
