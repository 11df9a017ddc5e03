import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/**
 * Outgoing webhooks choose their events. An event is stored once, with the names of the webhooks that get it, and each
 * delivery refers to it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('webhook_event')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    // Deliveries of one webhook with the same line are sent in order; null: in any order.
    .addColumn('line', 'text')
    .addColumn('webhooks', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await runAll(db, [
    `create index "webhook_event_old" on "webhook_event" ("created_at")`,
    `alter table "outgoing_webhook" add column "events" text not null default '["action.tapped"]'`,
    `alter table "outgoing_webhook" add column "filter" text`,
    `alter table "outgoing_webhook" add column "format" text not null default 'standard'`,
    // Headers with their values, encrypted as one.
    `alter table "outgoing_webhook" add column "headers" text`,
    // The secret before the last change, which also signs until the given time.
    `alter table "outgoing_webhook" add column "former_sealed" text`,
    `alter table "outgoing_webhook" add column "former_until" text`,
    `insert into "webhook_event" ("id", "org_id", "type", "body", "line", "webhooks", "created_at")
      select "id", "org_id", "type", "body", null, '[]', "created_at" from "webhook_delivery"`,
    `alter table "webhook_delivery" add column "event_id" text not null default ''`,
    `update "webhook_delivery" set "event_id" = "id"`,
    `alter table "webhook_delivery" drop column "body"`,
    `create index "webhook_delivery_failed" on "webhook_delivery" ("org_id", "webhook", "id") where "state" = 'failed'`,
  ])
}
