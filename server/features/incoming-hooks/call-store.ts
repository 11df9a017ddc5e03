import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { HookCallState } from '#shared/incoming-hooks/api.ts'
import type { IncomingCallTable } from './table.ts'

export type StoredCall = Omit<Selectable<IncomingCallTable>, 'org_id'>

export async function insertCall(db: OrgDb, orgId: string, call: StoredCall): Promise<void> {
  await db
    .insertInto('incoming_call')
    .values({ ...call, org_id: orgId })
    .execute()
}

/** Keeps the newest `kept` calls of a hook. */
export async function trimCalls(db: OrgDb, orgId: string, hookId: string, kept: number): Promise<void> {
  await db
    .deleteFrom('incoming_call')
    .where('org_id', '=', orgId)
    .where('hook_id', '=', hookId)
    .where('id', '<', eb =>
      eb
        .selectFrom('incoming_call as newer')
        .where('newer.hook_id', '=', hookId)
        .select('newer.id')
        .orderBy('newer.id', 'desc')
        .offset(kept - 1)
        .limit(1),
    )
    .execute()
}

export const findCall = (
  db: Db,
  orgId: string,
  { hookId, id }: { hookId: string; id: string },
): Promise<StoredCall | undefined> =>
  db
    .selectFrom('incoming_call')
    .selectAll()
    .where('id', '=', id)
    .where('hook_id', '=', hookId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

/** The call that was done with this client key. */
export const findByClientKey = (
  db: Db,
  orgId: string,
  { hookId, clientKey }: { hookId: string; clientKey: string },
): Promise<StoredCall | undefined> =>
  db
    .selectFrom('incoming_call')
    .selectAll()
    .where('hook_id', '=', hookId)
    .where('client_key', '=', clientKey)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

/** Newest first. */
export const listCalls = (
  db: Db,
  orgId: string,
  {
    hookId,
    before,
    state,
    limit,
  }: { hookId: string; before: string | undefined; state: HookCallState | undefined; limit: number },
): Promise<StoredCall[]> =>
  db
    .selectFrom('incoming_call')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('hook_id', '=', hookId)
    .$if(state !== undefined, query => query.where('state', '=', state as HookCallState))
    .$if(before !== undefined, query => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The newest call of each hook. */
export const listNewest = (db: Db, orgId: string): Promise<StoredCall[]> =>
  db
    .selectFrom('incoming_hook')
    .innerJoin('incoming_call', join =>
      join.on('incoming_call.id', '=', eb =>
        eb
          .selectFrom('incoming_call as one')
          .select(({ fn }) => fn.max('one.id').as('id'))
          .whereRef('one.hook_id', '=', 'incoming_hook.id'),
      ),
    )
    .selectAll('incoming_call')
    .where('incoming_hook.org_id', '=', orgId)
    .execute()

/** Counts calls since a time by hook and outcome. */
export const countSince = async (
  db: Db,
  orgId: string,
  since: string,
): Promise<{ hookId: string; state: HookCallState; count: number }[]> => {
  const rows = await db
    .selectFrom('incoming_call')
    .select(['hook_id as hookId', 'state'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('org_id', '=', orgId)
    .where('at', '>=', since)
    .groupBy(['hook_id', 'state'])
    .execute()
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }))
}

/** Deletes up to `limit` old ones. Returns how many. */
export async function deleteOldCalls(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('incoming_call')
    .where('id', 'in', db.selectFrom('incoming_call').select('id').where('at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
