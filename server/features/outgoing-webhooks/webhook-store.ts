import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { StopReason } from '#shared/outgoing-webhooks/api.ts'
import { webhookLimits } from '#shared/outgoing-webhooks/api.ts'

export interface StoredWebhook {
  readonly name: string
  readonly url: string
  readonly sealed: string
  readonly active: boolean
  readonly stoppedFor: StopReason | null
  readonly createdAt: string
  readonly changedAt: string
  readonly changedBy: string
}

const select = (db: Db, orgId: string) =>
  db
    .selectFrom('outgoing_webhook')
    .select([
      'name',
      'url',
      'sealed',
      'active',
      'stopped_for as stoppedFor',
      'created_at as createdAt',
      'changed_at as changedAt',
      'changed_by as changedBy',
    ])
    .where('org_id', '=', orgId)

const webhookOf = <R extends { active: number }>({ active, ...rest }: R) => ({ ...rest, active: active === 1 })

/** By name. */
export const listWebhooks = async (db: Db, orgId: string): Promise<StoredWebhook[]> =>
  (await select(db, orgId).orderBy('name').limit(webhookLimits.webhooks).execute()).map(webhookOf)

export async function findWebhook(db: Db, orgId: string, name: string): Promise<StoredWebhook | undefined> {
  const row = await select(db, orgId).where('name', '=', name).executeTakeFirst()
  return row && webhookOf(row)
}

export const hasWebhooks = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('outgoing_webhook').select('name').limit(1).executeTakeFirst()) !== undefined

export async function saveWebhook(db: OrgDb, orgId: string, webhook: StoredWebhook): Promise<void> {
  const { name, url, sealed, active, stoppedFor, createdAt, changedAt, changedBy } = webhook
  const values = {
    ...{ url, sealed, active: active ? 1 : 0, stopped_for: stoppedFor },
    ...{ changed_at: changedAt, changed_by: changedBy },
  }
  await db
    .insertInto('outgoing_webhook')
    .values({ org_id: orgId, name, created_at: createdAt, ...values })
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
