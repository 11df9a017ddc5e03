import type { Db } from '#server/platform/db/database.ts'
import { findSends } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'

interface Stretch {
  readonly after: string
  readonly limit: number
}

/** Ids of sends that have not begun but may, by id. Exported for tests. */
export const selectWaiting = (db: Db, orgId: string, { after, limit }: Stretch) => {
  const sends = db.selectFrom('bulk_send').select('id').where('org_id', '=', orgId).where('is_test', '=', 0)
  return sends
    .where('state', 'in', ['ready', 'scheduled', 'blocked'])
    .where('started_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
}

/** Ids of sends whose recipients' tags are known, by id. Exported for tests. */
export const selectShareable = (db: Db, orgId: string, { after, limit }: Stretch) =>
  db
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', orgId)
    .where('people_tags', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)

const findInOrder = async (db: Db, orgId: string, ids: readonly { id: string }[]): Promise<StoredSend[]> =>
  (
    await findSends(
      db,
      orgId,
      ids.map(({ id }) => id),
    )
  ).sort((a, b) => (a.id < b.id ? -1 : 1))

export const listWaiting = async (db: Db, orgId: string, stretch: Stretch): Promise<StoredSend[]> =>
  findInOrder(db, orgId, await selectWaiting(db, orgId, stretch).execute())

export const listShareable = async (db: Db, orgId: string, stretch: Stretch): Promise<StoredSend[]> =>
  findInOrder(db, orgId, await selectShareable(db, orgId, stretch).execute())
