import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { FieldFault } from '#server/platform/http/validate.ts'
import type { HookCallState } from '#shared/incoming-hooks/api.ts'
import type { HookDone } from './doing.ts'
import type { IncomingCallTable } from './table.ts'

/** A refusal without its text, which is made in the reader's language. */
export interface StoredRefusal {
  readonly code: string
  readonly status: number
  readonly textCode: string
  readonly params: Readonly<Record<string, string | number>>
  readonly fields: readonly string[]
  readonly faults: readonly FieldFault[]
}

type Row = Omit<Selectable<IncomingCallTable>, 'org_id'>
export type StoredCall = Omit<Row, 'outcome'> & { readonly outcome: HookDone | StoredRefusal }

const readCall = (row: Row): StoredCall => ({ ...row, outcome: JSON.parse(row.outcome) as HookDone | StoredRefusal })

export async function insertCall(db: OrgDb, orgId: string, call: StoredCall): Promise<void> {
  await db
    .insertInto('incoming_call')
    .values({ ...call, outcome: JSON.stringify(call.outcome), org_id: orgId })
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

export async function findCall(
  db: Db,
  orgId: string,
  { hookId, id }: { hookId: string; id: string },
): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('incoming_call')
    .selectAll()
    .where('id', '=', id)
    .where('hook_id', '=', hookId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row && readCall(row)
}

/** The call that was done with this client key. */
export async function findByClientKey(
  db: Db,
  orgId: string,
  { hookId, clientKey }: { hookId: string; clientKey: string },
): Promise<StoredCall | undefined> {
  const row = await db
    .selectFrom('incoming_call')
    .selectAll()
    .where('hook_id', '=', hookId)
    .where('client_key', '=', clientKey)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row && readCall(row)
}

/** Newest first. */
export async function listCalls(
  db: Db,
  orgId: string,
  {
    hookId,
    before,
    state,
    limit,
  }: { hookId: string; before: string | undefined; state: HookCallState | undefined; limit: number },
): Promise<StoredCall[]> {
  const rows = await db
    .selectFrom('incoming_call')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('hook_id', '=', hookId)
    .$if(state !== undefined, query => query.where('state', '=', state as HookCallState))
    .$if(before !== undefined, query => query.where('id', '<', before as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(readCall)
}

/** The newest call of each hook. */
export async function listNewest(db: Db, orgId: string): Promise<StoredCall[]> {
  const rows = await db
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
  return rows.map(readCall)
}

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
