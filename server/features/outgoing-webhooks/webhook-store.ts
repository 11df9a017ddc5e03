import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import {
  type StopReason,
  type WebhookFilter,
  type WebhookFormat,
  type WebhookType,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import { webhookErrors } from './errors.ts'
import type { OutgoingWebhookTable } from './table.ts'

export interface StoredWebhook {
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookType[]
  readonly filter: WebhookFilter | null
  readonly format: WebhookFormat
  /** Encrypted, as are `former`, `headers` and `verifyToken`. */
  readonly sealed: string
  readonly former: { readonly sealed: string; readonly until: string } | null
  readonly headers: string | null
  readonly verifyToken: string | null
  readonly active: boolean
  readonly stoppedFor: StopReason | null
  readonly createdAt: string
  readonly changedAt: string
  readonly changedBy: string
}

const webhookOf = (row: Omit<OutgoingWebhookTable, 'org_id'>): StoredWebhook => ({
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events) as WebhookType[],
  filter: row.filter === null ? null : (JSON.parse(row.filter) as WebhookFilter),
  format: row.format,
  sealed: row.sealed,
  former:
    row.former_sealed === null || row.former_until === null
      ? null
      : { sealed: row.former_sealed, until: row.former_until },
  headers: row.headers,
  verifyToken: row.verify_token,
  active: row.active === 1,
  stoppedFor: row.stopped_for,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  changedBy: row.changed_by,
})

const ofOrg = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('outgoing_webhook')
    .selectAll()
    .where('org_id', '=', p.orgId)
    .orderBy('name')
    .limit(webhookLimits.webhooks),
)

const byName = hotQuery((db, p: { orgId: string; name: string }) =>
  db.selectFrom('outgoing_webhook').selectAll().where('org_id', '=', p.orgId).where('name', '=', p.name),
)

/** The webhooks by name. */
export const listWebhooks = async (db: Db, orgId: string): Promise<StoredWebhook[]> =>
  (await ofOrg(db, { orgId })).map(webhookOf)

export async function findWebhook(db: Db, orgId: string, name: string): Promise<StoredWebhook | undefined> {
  const [row] = await byName(db, { orgId, name })
  return row && webhookOf(row)
}

/** @throws OUTGOING_WEBHOOKS_NOT_FOUND */
export async function requireWebhook(db: Db, orgId: string, name: string): Promise<StoredWebhook> {
  const found = await findWebhook(db, orgId, name)
  if (!found) throw webhookErrors.NOT_FOUND()
  return found
}

export const hasWebhooks = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('outgoing_webhook').select('name').limit(1).executeTakeFirst()) !== undefined

export async function saveWebhook(db: OrgDb, orgId: string, webhook: StoredWebhook): Promise<void> {
  const values = {
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    filter: webhook.filter === null ? null : JSON.stringify(webhook.filter),
    format: webhook.format,
    sealed: webhook.sealed,
    former_sealed: webhook.former?.sealed ?? null,
    former_until: webhook.former?.until ?? null,
    headers: webhook.headers,
    verify_token: webhook.verifyToken,
    active: webhook.active ? 1 : 0,
    stopped_for: webhook.stoppedFor,
    changed_at: webhook.changedAt,
    changed_by: webhook.changedBy,
  }
  await db
    .insertInto('outgoing_webhook')
    .values({ org_id: orgId, name: webhook.name, created_at: webhook.createdAt, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'name']).doUpdateSet(values))
    .execute()
}

/** Deactivates a webhook. False: it was inactive or deleted. */
export async function stopWebhook(db: OrgDb, orgId: string, name: string, reason: StopReason): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outgoing_webhook')
    .set({ active: 0, stopped_for: reason })
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where('active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteWebhook(db: OrgDb, orgId: string, name: string): Promise<void> {
  await db.deleteFrom('outgoing_webhook').where('org_id', '=', orgId).where('name', '=', name).execute()
}
