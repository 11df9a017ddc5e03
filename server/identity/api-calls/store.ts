import { sql } from 'kysely'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { apiCallsKeptPerKey } from '#shared/api-calls/api.ts'
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

interface KeyCounts {
  readonly id: string
  readonly succeeded: number | string
  readonly failed: number | string
  readonly lastAt: string | null
}

const callsOfKey = (orgId: string) => sql`from api_call where org_id = ${orgId} and key_id = v.column1`

const countSince = (failed: 0 | 1, { orgId, firstId }: { orgId: string; firstId: string }) =>
  sql`(select count(*) from (select 1 ${callsOfKey(orgId)} and has_failed = ${sql.lit(failed)} and id >= ${firstId}
    limit ${sql.lit(apiCallsKeptPerKey)}) as counted)`

const selectUse = bulkQuery<{ id: string }, { orgId: string; firstId: string }, KeyCounts>((_db, rows, since) => {
  const keys = rows.map(row => sql`(${row.id})`)
  return sql`select v.column1 as id, ${countSince(0, since)} as succeeded, ${countSince(1, since)} as failed,
      (select at ${callsOfKey(since.orgId)} order by id desc limit 1) as "lastAt"
    from (values ${sql.join(keys)}) as v`
}, 'lookup')

/** The calls of each key from the one with this id on, and the time of its last one. */
export async function countUse(
  db: Db,
  orgId: string,
  keyIds: readonly string[],
  firstId: string,
): Promise<ReadonlyMap<string, { succeeded: number; failed: number; lastAt: string | null }>> {
  const rows = await selectUse(
    db,
    keyIds.map(id => ({ id })),
    { orgId, firstId },
  )
  return new Map(
    rows.map(({ id, succeeded, failed, lastAt }) => [
      id,
      { succeeded: Number(succeeded), failed: Number(failed), lastAt },
    ]),
  )
}

/**
 * Across all organizations, because it is cleaning up: deletes up to `limit` calls older than `at`; returns how many.
 */
export async function deleteCallsBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = db.selectFrom('api_call').select('id').where('at', '<', at).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('api_call').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
