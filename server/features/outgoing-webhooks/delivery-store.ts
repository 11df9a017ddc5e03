import type { Selectable } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { DeliveryFailure, DeliveryState } from '#shared/outgoing-webhooks/api.ts'
import type { WebhookDeliveryTable } from './table.ts'

export type StoredDelivery = Selectable<WebhookDeliveryTable>

export interface NewDelivery {
  readonly id: string
  readonly webhook: string
  readonly type: string
  readonly body: string
  readonly createdAt: string
}

export async function insertDelivery(db: OrgDb, orgId: string, delivery: NewDelivery): Promise<StoredDelivery> {
  const { createdAt: created_at, ...rest } = delivery
  const none = { attempted_at: null, status: null, failure: null, answer: null, took_ms: null }
  const row: StoredDelivery = { ...rest, org_id: orgId, state: 'waiting', attempts: 0, created_at, ...none }
  await db.insertInto('webhook_delivery').values(row).execute()
  return row
}

export const findDelivery = (db: Db, orgId: string, id: string): Promise<StoredDelivery | undefined> =>
  db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('id', '=', id)
    .where(belongsTo('webhook_delivery.org_id', orgId))
    .executeTakeFirst()

/** Newest first, before this one, since the webhook of that name was added. */
export const listDeliveries = (
  db: Db,
  orgId: string,
  { webhook, since, before, limit }: { webhook: string; since: string; before: string | undefined; limit: number },
): Promise<StoredDelivery[]> => {
  const all = db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('webhook', '=', webhook)
    .where('created_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(limit)
  return (before === undefined ? all : all.where('id', '<', before)).execute()
}

/** The newest of each webhook, since it was added. */
export const listNewest = (db: Db, orgId: string): Promise<StoredDelivery[]> =>
  db
    .selectFrom('outgoing_webhook')
    .innerJoin('webhook_delivery', join =>
      join.on('webhook_delivery.id', '=', eb =>
        eb
          .selectFrom('webhook_delivery as one')
          .select(({ fn }) => fn.max('one.id').as('id'))
          .whereRef('one.org_id', '=', 'outgoing_webhook.org_id')
          .whereRef('one.webhook', '=', 'outgoing_webhook.name'),
      ),
    )
    .selectAll('webhook_delivery')
    .where('outgoing_webhook.org_id', '=', orgId)
    .whereRef('webhook_delivery.created_at', '>=', 'outgoing_webhook.created_at')
    .execute()

/** Whether a later delivery succeeded. */
export const hasTakenAfter = async (
  db: Db,
  orgId: string,
  { webhook, id }: Pick<StoredDelivery, 'webhook' | 'id'>,
): Promise<boolean> =>
  (await db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('org_id', '=', orgId)
    .where('webhook', '=', webhook)
    .where('id', '>', id)
    .where('state', '=', 'delivered')
    .limit(1)
    .executeTakeFirst()) !== undefined

export interface Attempt {
  readonly state: DeliveryState
  readonly at: string
  readonly status: number | null
  readonly failure: DeliveryFailure | null
  readonly answer: string | null
  readonly tookMs: number | null
}

export async function noteAttempt(db: OrgDb, orgId: string, id: string, attempt: Attempt): Promise<void> {
  const { state, at: attempted_at, tookMs: took_ms, ...rest } = attempt
  await db
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({ state, attempted_at, took_ms, ...rest, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where(belongsTo('webhook_delivery.org_id', orgId))
    .execute()
}

export async function setState(db: OrgDb, orgId: string, id: string, state: DeliveryState): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ state })
    .where('id', '=', id)
    .where(belongsTo('webhook_delivery.org_id', orgId))
    .execute()
}

/** Deletes up to `limit` of a removed webhook. Returns how many. */
export async function deleteDeliveries(
  db: OrgDb,
  orgId: string,
  { webhook, until, limit }: { webhook: string; until: string; limit: number },
): Promise<number> {
  const some = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('org_id', '=', orgId)
    .where('webhook', '=', webhook)
    .where('created_at', '<=', until)
    .limit(limit)
  const result = await db.deleteFrom('webhook_delivery').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes up to `limit` old ones. Returns how many. */
export async function deleteOldDeliveries(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('webhook_delivery')
    .where('id', 'in', db.selectFrom('webhook_delivery').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
