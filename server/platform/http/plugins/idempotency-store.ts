import type { Db } from '#server/platform/db/database.ts'

/** The owner of a key: never shared between two callers, or between two organizations of one caller. */
export interface KeyOwner {
  readonly caller: string
  readonly key: string
}

export interface KeyUse {
  readonly endpoint: string
  readonly requestHash: string
  readonly status: number | null
  readonly body: string | null
  readonly createdAt: string
  /** The process that took it. */
  readonly owner: string | null
}

export interface NewKeyUse {
  readonly endpoint: string
  readonly requestHash: string
  readonly at: string
  readonly owner: string
}

/** False: the key is already taken. */
export async function takeKey(db: Db, orgId: string, owner: KeyOwner, use: NewKeyUse): Promise<boolean> {
  const result = await db
    .insertInto('idempotency')
    .values({
      org_id: orgId,
      caller: owner.caller,
      key: owner.key,
      endpoint: use.endpoint,
      request_hash: use.requestHash,
      status: null,
      body: null,
      created_at: use.at,
      owner: use.owner,
    })
    .onConflict(conflict => conflict.columns(['org_id', 'caller', 'key']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

export async function findKey(db: Db, orgId: string, owner: KeyOwner): Promise<KeyUse | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['endpoint', 'request_hash', 'status', 'body', 'created_at', 'owner'])
    .where('org_id', '=', orgId)
    .where('caller', '=', owner.caller)
    .where('key', '=', owner.key)
    .executeTakeFirst()
  return (
    row && {
      endpoint: row.endpoint,
      requestHash: row.request_hash,
      status: row.status,
      body: row.body,
      createdAt: row.created_at,
      owner: row.owner,
    }
  )
}

/** Takes over a key whose earlier use is dead or expired; false: another call was faster. */
export async function retakeKey(
  db: Db,
  orgId: string,
  owner: KeyOwner,
  before: KeyUse,
  use: NewKeyUse,
): Promise<boolean> {
  const result = await db
    .updateTable('idempotency')
    .set({
      endpoint: use.endpoint,
      request_hash: use.requestHash,
      status: null,
      body: null,
      created_at: use.at,
      owner: use.owner,
    })
    .where('org_id', '=', orgId)
    .where('caller', '=', owner.caller)
    .where('key', '=', owner.key)
    .where('created_at', '=', before.createdAt)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Stores the answer of the call that took the key at `at`, unless another has taken it over. */
export async function keepAnswer(
  db: Db,
  orgId: string,
  owner: KeyOwner,
  at: string,
  answer: { status: number; body: string },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set(answer)
    .where('org_id', '=', orgId)
    .where('caller', '=', owner.caller)
    .where('key', '=', owner.key)
    .where('created_at', '=', at)
    .where('status', 'is', null)
    .execute()
}

/** Releases the key, because a failed call may be tried again. */
export async function releaseKey(db: Db, orgId: string, owner: KeyOwner, at: string): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('org_id', '=', orgId)
    .where('caller', '=', owner.caller)
    .where('key', '=', owner.key)
    .where('created_at', '=', at)
    .where('status', 'is', null)
    .execute()
}

/**
 * Across all organizations, because it is cleaning up: deletes up to `limit` keys older than `at`; returns how many.
 */
export async function deleteKeysBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom('idempotency')
    .select(['org_id', 'caller', 'key'])
    .where('created_at', '<', at)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (!old.length) return 0
  const result = await db
    .deleteFrom('idempotency')
    .where('created_at', '<', at)
    .where('key', 'in', [...new Set(old.map(row => row.key))])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** A real write, durable when it resolves. No organization has an empty id. */
export async function probeWrite(db: Db, at: string): Promise<void> {
  await db
    .insertInto('idempotency')
    .values({
      org_id: '',
      caller: 'health',
      key: 'probe',
      endpoint: '',
      request_hash: '',
      status: 0,
      body: null,
      created_at: at,
      owner: null,
    })
    .onConflict(conflict => conflict.columns(['org_id', 'caller', 'key']).doUpdateSet({ created_at: at }))
    .execute()
}
