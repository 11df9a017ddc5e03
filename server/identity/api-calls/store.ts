import type { Db } from '#server/platform/db/database.ts'
import type { ApiCallTable } from './table.ts'

export const insertCalls = async (db: Db, rows: readonly ApiCallTable[]): Promise<void> => {
  await db
    .insertInto('api_call')
    .values([...rows])
    .execute()
}

/** Keeps the newest `kept` successful and the newest `kept` failed calls of a key. */
export async function trimCalls(db: Db, orgId: string, keyId: string, kept: number): Promise<void> {
  for (const failed of [0, 1])
    await db
      .deleteFrom('api_call')
      .where('org_id', '=', orgId)
      .where('key_id', '=', keyId)
      .where('has_failed', '=', failed)
      .where('id', '<', eb =>
        eb
          .selectFrom('api_call as newer')
          .where('newer.key_id', '=', keyId)
          .where('newer.has_failed', '=', failed)
          .select('newer.id')
          .orderBy('newer.id', 'desc')
          .offset(kept - 1)
          .limit(1),
      )
      .execute()
}

export interface CallFilter {
  readonly keyId?: string
  readonly failed?: boolean
  /** Id of the last call of the previous page. */
  readonly before?: string
}

/** Newest first. Ids sort by time. */
export const listCalls = (db: Db, orgId: string, filter: CallFilter, limit: number): Promise<ApiCallTable[]> => {
  let query = db.selectFrom('api_call').selectAll().where('org_id', '=', orgId)
  if (filter.keyId !== undefined) query = query.where('key_id', '=', filter.keyId)
  if (filter.failed !== undefined) query = query.where('has_failed', '=', Number(filter.failed))
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/**
 * Across all organizations, because it is cleaning up: deletes up to `limit` calls older than `at`; returns how many.
 */
export async function deleteCallsBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = await db.selectFrom('api_call').select('id').where('at', '<', at).limit(limit).execute()
  if (!old.length) return 0
  await db
    .deleteFrom('api_call')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
  return old.length
}
