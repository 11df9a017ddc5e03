import type { Db } from '#server/platform/db/database.ts'
import { type BulkSendState, bulkSendStates } from '#shared/bulk-sends/states.ts'
import { findSends } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'

/** Undefined: a reader who sees all sends. Otherwise the person, who sees their own and shared ones. */
type ListReader = string | undefined

interface Page {
  readonly states?: readonly BulkSendState[] | undefined
  readonly offset: number
  readonly limit: number
}

/** Ids of own and shared sends, read newest first from an index for each state. Exported for tests. */
export const selectSeen = (
  db: Db,
  orgId: string,
  creatorId: string,
  { states = bulkSendStates, offset, limit }: Page,
) => {
  const most = offset + limit
  const sends = db.selectFrom('bulk_send').select('id').where('org_id', '=', orgId)
  const parts = states.flatMap(state =>
    [
      sends.where('creator_id', '=', creatorId).where('is_test', '=', 0),
      // Tests are not shared.
      sends.where('is_shared', '=', 1),
    ].map(part => {
      const newest = part.where('state', '=', state).orderBy('id', 'desc').limit(most)
      return db.selectFrom(newest.as('newest')).select('newest.id')
    }),
  )
  const [first, ...others] = parts as [(typeof parts)[number], ...typeof parts]
  return others
    .reduce((all, one) => all.union(one), first)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
}

/** Newest first, without tests. `states`: only those. */
export async function listSends(db: Db, orgId: string, reader: ListReader, page: Page): Promise<StoredSend[]> {
  const { states, offset, limit } = page
  const all = db.selectFrom('bulk_send').select('id').where('org_id', '=', orgId).where('is_test', '=', 0)
  const ofAll = (states ? all.where('state', 'in', states) : all).orderBy('id', 'desc').offset(offset).limit(limit)
  const rows = await (reader === undefined ? ofAll : selectSeen(db, orgId, reader, page)).execute()
  return findSendsInOrder(
    db,
    orgId,
    rows.map(({ id }) => id),
  )
}

/** The sends with these ids, in this order. */
export async function findSendsInOrder(db: Db, orgId: string, ids: readonly string[]): Promise<StoredSend[]> {
  const found = new Map((await findSends(db, orgId, ids)).map(send => [send.id, send]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** The number of sends in each state, without tests. */
export async function countSends(
  db: Db,
  orgId: string,
  reader: ListReader,
): Promise<ReadonlyMap<BulkSendState, number>> {
  const states = db
    .selectFrom('bulk_send')
    .select(['state', eb => eb.fn.countAll<number>().as('count')])
    .where('org_id', '=', orgId)
    .groupBy('state')
  const counted = [
    ...(reader === undefined
      ? await states.where('is_test', '=', 0).execute()
      : [
          ...(await states.where('is_test', '=', 0).where('creator_id', '=', reader).execute()),
          ...(await states.where('is_shared', '=', 1).where('creator_id', '<>', reader).execute()),
        ]),
  ]
  const sums = new Map<BulkSendState, number>()
  for (const { state, count } of counted) sums.set(state, (sums.get(state) ?? 0) + Number(count))
  return sums
}
