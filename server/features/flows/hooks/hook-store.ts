import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { countInMinute } from '#server/platform/time/calls-in-minute.ts'
import { maxFlows } from '#shared/flows/api.ts'
import type { SessionState } from '#shared/flows/runs/runs.ts'
import type { HookUse } from '#shared/flows/triggers/hooks.ts'

export interface StoredHook {
  readonly flowId: string
  readonly secretHash: string
  readonly sealed: string
  readonly changedAt: string
  readonly changedBy: string
  readonly calledAt: string | null
}

/** The organization and flow of an address. */
export interface HookTarget {
  readonly orgId: string
  readonly flowId: string
}

/** Looked up without an organization, which is safe because the hash is of an unguessable secret. */
const byHash = hotQuery((db, p: { hash: string }) =>
  db
    .selectFrom('flow_hook')
    .innerJoin('flow', 'flow.id', 'flow_hook.flow_id')
    .select(['flow_hook.org_id as orgId', 'flow_hook.flow_id as flowId'])
    .where('flow_hook.secret_hash', '=', p.hash)
    .where('flow.deleted_at', 'is', null),
)

export const findByHash = async (db: Db, hash: string): Promise<HookTarget | undefined> =>
  (await byHash(db, { hash }))[0]

export const findHook = (db: Db, orgId: string, flowId: string): Promise<StoredHook | undefined> =>
  db
    .selectFrom('flow_hook')
    .select([
      'flow_id as flowId',
      'secret_hash as secretHash',
      'sealed',
      'changed_at as changedAt',
      'changed_by as changedBy',
      'called_at as calledAt',
    ])
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

/** Flows that were not deleted; an organization has at most `maxFlows`. */
export const listHookUses = (db: Db, orgId: string): Promise<HookUse[]> =>
  db
    .selectFrom('flow_hook')
    .innerJoin('flow', 'flow.id', 'flow_hook.flow_id')
    .select(['flow_hook.flow_id as flowId', 'flow_hook.called_at as calledAt'])
    .where('flow_hook.org_id', '=', orgId)
    .where('flow.deleted_at', 'is', null)
    .limit(maxFlows)
    .execute()

/** Creates or replaces the address and keeps its call count. */
export async function saveHook(db: OrgDb, orgId: string, hook: Omit<StoredHook, 'calledAt'>): Promise<void> {
  const { flowId: flow_id, secretHash: secret_hash, sealed, changedAt: changed_at, changedBy: changed_by } = hook
  const values = { secret_hash, sealed, changed_at, changed_by }
  await db
    .insertInto('flow_hook')
    .values({ flow_id, org_id: orgId, ...values, calls: 0, minute_ends_at: null, called_at: null })
    .onConflict(conflict => conflict.column('flow_id').doUpdateSet(values))
    .execute()
}

export async function deleteHook(db: OrgDb, orgId: string, flowId: string): Promise<void> {
  await db.deleteFrom('flow_hook').where('flow_id', '=', flowId).where('org_id', '=', orgId).execute()
}

/** Counts a call in the current minute. Returns the end of the minute if its calls are used up, otherwise undefined. */
export async function countCall(
  db: OrgDb,
  orgId: string,
  { flowId, now, minuteEndsAt, limit }: { flowId: string; now: string; minuteEndsAt: string; limit: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('flow_hook')
    .select(['calls', 'minute_ends_at'])
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const counted = countInMinute(row ?? { calls: 0, minute_ends_at: null }, { now, minuteEndsAt, limit })
  if ('freeAt' in counted) return counted.freeAt
  await db
    .updateTable('flow_hook')
    .set({ ...counted, called_at: now })
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)
    .execute()
  return undefined
}

/** The session started by a call with this client key. */
export const findByClientKey = (
  db: Db,
  orgId: string,
  { flowId, clientKey }: { flowId: string; clientKey: string },
): Promise<{ id: string; state: SessionState } | undefined> =>
  db
    .selectFrom('flow_session')
    .select(['id', 'state'])
    .where('flow_id', '=', flowId)
    .where('client_key', '=', clientKey)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

export async function setClientKey(db: OrgDb, orgId: string, id: string, clientKey: string): Promise<void> {
  await db
    .updateTable('flow_session')
    .set({ client_key: clientKey })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .execute()
}
