import { type Selectable, sql } from 'kysely'
import { belongsTo, bulkWrite, hotWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { DeliveryFailure, DeliveryState } from '#shared/outgoing-webhooks/api.ts'
import type { WebhookDeliveryTable } from './table.ts'

/** With the event that is delivered. */
export type StoredDelivery = Selectable<WebhookDeliveryTable> & { body: string; line: string | null }

interface NewDelivery {
  readonly id: string
  readonly webhook: string
  readonly eventId: string
  readonly type: string
}

const insert = bulkWrite<NewDelivery, { orgId: string; at: string }, never>(
  (db, rows, { orgId, at }) =>
    db.insertInto('webhook_delivery').values(
      rows.map(({ id, webhook, eventId, type }) => ({
        id,
        org_id: orgId,
        webhook,
        event_id: eventId,
        type,
        state: 'waiting',
        attempts: 0,
        created_at: at,
        attempted_at: null,
        status: null,
        failure: null,
        answer: null,
        took_ms: null,
      })),
    ) as never,
)

export async function insertDeliveries(
  db: OrgDb,
  orgId: string,
  deliveries: readonly NewDelivery[],
  at: string,
): Promise<void> {
  await insert(db, deliveries, { orgId, at })
}

const joined = (db: Db, orgId: string) =>
  db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .selectAll('webhook_delivery')
    .select('webhook_event.line')
    .where(belongsTo('webhook_delivery.org_id', orgId))

const byId = hotQuery((db, p: { orgId: string; id: string }) =>
  joined(db, p.orgId).select('webhook_event.body').where('webhook_delivery.id', '=', p.id),
)

export const findDelivery = async (db: Db, orgId: string, id: string): Promise<StoredDelivery | undefined> =>
  (await byId(db, { orgId, id }))[0]

/** The number of characters of a long body that are listed. */
const listedChars = 64 * 1024

interface Page {
  readonly webhook: string
  readonly since: string
  readonly before: string | undefined
  readonly state: DeliveryState | undefined
  readonly limit: number
}

/** Newest first, before this one, since the webhook of that name was added. */
export const listDeliveries = (
  db: Db,
  orgId: string,
  { webhook, since, before, state, limit }: Page,
): Promise<StoredDelivery[]> =>
  joined(db, orgId)
    .select(sql<string>`substr(webhook_event.body, 1, ${sql.lit(listedChars)})`.as('body'))
    .where('webhook_delivery.org_id', '=', orgId)
    .where('webhook_delivery.webhook', '=', webhook)
    .where('webhook_delivery.created_at', '>=', since)
    .$if(state !== undefined, query => query.where('webhook_delivery.state', '=', state as DeliveryState))
    .$if(before !== undefined, query => query.where('webhook_delivery.id', '<', before as string))
    .orderBy('webhook_delivery.id', 'desc')
    .limit(limit)
    .execute()

/** The newest of each webhook, since it was added. */
export const listNewest = (db: Db, orgId: string): Promise<Selectable<WebhookDeliveryTable>[]> =>
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

/** True if a later delivery to the same webhook succeeded. */
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

const saveAttempt = hotWrite<Pick<Attempt, keyof Attempt> & { orgId: string; id: string }>((db, p) =>
  db
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({
      state: p.state,
      attempted_at: p.at,
      status: p.status,
      failure: p.failure,
      answer: p.answer,
      took_ms: p.tookMs,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', p.id)
    .where(belongsTo('webhook_delivery.org_id', p.orgId)),
)

export async function noteAttempt(db: OrgDb, orgId: string, id: string, attempt: Attempt): Promise<void> {
  const { state, at, status, failure, answer, tookMs } = attempt
  await saveAttempt(db, { orgId, id, state, at, status, failure, answer, tookMs })
}

/** Makes deliveries wait again. */
export async function resetDeliveries(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'waiting' })
    .where('id', 'in', ids)
    .where(belongsTo('webhook_delivery.org_id', orgId))
    .execute()
}

/** Deliveries of a time. `states`: only those. */
export interface Range {
  readonly webhook: string
  readonly since: string
  readonly until: string
  readonly states: readonly DeliveryState[]
}

const inRange = (db: Db, orgId: string, { webhook, since, until, states }: Range) =>
  joined(db, orgId)
    .where('webhook_delivery.org_id', '=', orgId)
    .where('webhook_delivery.webhook', '=', webhook)
    .where('webhook_delivery.created_at', '>=', since)
    .where('webhook_delivery.created_at', '<=', until)
    .where('webhook_delivery.state', 'in', states)

/** The deliveries of a range in order, after this one. */
export const listRange = (
  db: Db,
  orgId: string,
  { after, limit, ...range }: Range & { after: string; limit: number },
): Promise<Omit<StoredDelivery, 'body'>[]> =>
  inRange(db, orgId, range)
    .where('webhook_delivery.id', '>', after)
    .orderBy('webhook_delivery.id')
    .limit(limit)
    .execute()

/** Counts the deliveries of a range, at most `limit`. */
export async function countRange(db: Db, orgId: string, range: Range, limit: number): Promise<number> {
  const { webhook, since, until, states } = range
  const some = db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('org_id', '=', orgId)
    .where('webhook', '=', webhook)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .where('state', 'in', states)
    .limit(limit)
  const row = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
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
