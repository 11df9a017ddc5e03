import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { countInMinute } from '#server/platform/time/calls-in-minute.ts'
import { type HookAction, incomingLimits } from '#shared/incoming-hooks/api.ts'
import type { IncomingHookTable } from './table.ts'

export interface StoredHook {
  readonly id: string
  readonly name: string
  readonly secretHash: string
  readonly action: HookAction
  readonly sample: string | null
  readonly active: boolean
  readonly createdAt: string
  readonly changedAt: string
  readonly changedBy: string
}

/** The organization and hook of an address. */
export interface HookTarget {
  readonly orgId: string
  readonly hookId: string
}

const hookOf = (row: IncomingHookTable): StoredHook => ({
  id: row.id,
  name: row.name,
  secretHash: row.secret_hash,
  action: JSON.parse(row.action) as HookAction,
  sample: row.sample,
  active: row.active === 1,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
})

/** Looked up without an organization, which is safe because the hash is of an unguessable secret. */
const byHash = hotQuery((db, p: { hash: string }) =>
  db
    .selectFrom('incoming_hook')
    .select(['org_id as orgId', 'id as hookId'])
    .where('incoming_hook.secret_hash', '=', p.hash),
)

export const findByHash = async (db: Db, hash: string): Promise<HookTarget | undefined> =>
  (await byHash(db, { hash }))[0]

/** The hooks by name. */
export const listHooks = async (db: Db, orgId: string): Promise<StoredHook[]> =>
  (
    await db
      .selectFrom('incoming_hook')
      .selectAll()
      .where('org_id', '=', orgId)
      .orderBy('name')
      .limit(incomingLimits.hooks)
      .execute()
  ).map(hookOf)

export async function findHook(db: Db, orgId: string, id: string): Promise<StoredHook | undefined> {
  const row = await db
    .selectFrom('incoming_hook')
    .selectAll()
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row && hookOf(row)
}

export async function saveHook(db: OrgDb, orgId: string, hook: StoredHook): Promise<void> {
  const values = {
    name: hook.name,
    secret_hash: hook.secretHash,
    action: JSON.stringify(hook.action),
    sample: hook.sample,
    active: hook.active ? 1 : 0,
    changed_at: hook.changedAt,
    changed_by: hook.changedBy,
  }
  await db
    .insertInto('incoming_hook')
    .values({ id: hook.id, org_id: orgId, created_at: hook.createdAt, calls: 0, minute_ends_at: null, ...values })
    .onConflict(conflict => conflict.column('id').doUpdateSet(values))
    .execute()
}

/** With its calls. */
export async function deleteHook(db: OrgDb, orgId: string, id: string): Promise<void> {
  await db.deleteFrom('incoming_hook').where('id', '=', id).where('org_id', '=', orgId).execute()
}

/** Counts a call in the current minute. Returns the end of the minute if its calls are used up, otherwise undefined. */
export async function countCall(
  db: OrgDb,
  orgId: string,
  { id, now, minuteEndsAt, limit }: { id: string; now: string; minuteEndsAt: string; limit: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('incoming_hook')
    .select(['calls', 'minute_ends_at'])
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const counted = countInMinute(row ?? { calls: 0, minute_ends_at: null }, { now, minuteEndsAt, limit })
  if ('freeAt' in counted) return counted.freeAt
  await db
    .updateTable('incoming_hook')
    .set({ ...counted })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .execute()
  return undefined
}
