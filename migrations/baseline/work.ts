import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './schema.ts'

/** Jobs, events and outgoing webhooks. */
export async function createWork(db: Kysely<unknown>): Promise<void> {
  // Everything that waits: one row per job, whatever its kind.
  await db.schema
    .createTable('job')
    .addColumn('seq', 'integer', c => c.primaryKey().autoIncrement())
    // '': the installation's own. No reference: a deleted organization's jobs must still be settled.
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('lane', 'integer', c => c.notNull())
    // Kind, lane, organization and pace key in one word.
    .addColumn('queue', 'text', c => c.notNull())
    .addColumn('order_key', 'text')
    .addColumn('pace_key', 'text', c => c.notNull())
    .addColumn('unique_key', 'text')
    .addColumn('payload', 'text', c => c.notNull())
    // scheduled, waiting, running, retrying, parked, done, failed or cancelled.
    .addColumn('state', 'text', c => c.notNull())
    // 1: another of its order key and lane stands before it.
    .addColumn('blocked', 'integer', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('due_at', 'text', c => c.notNull())
    .addColumn('owner', 'text')
    .addColumn('reason', 'text')
    .addColumn('added_at', 'text', c => c.notNull())
    .addColumn('finished_at', 'text')
    .execute()
  await runAll(db, [
    `create index "job_ready" on "job" ("queue", "due_at", "seq") where state = 'waiting' and blocked = 0`,
    `create index "job_line" on "job" ("org_id", "order_key", "lane", "seq") where order_key is not null and state in ('waiting', 'running', 'retrying')`,
    // Never two running jobs of one order key, whatever the processes believe.
    `create unique index "job_running_key" on "job" ("org_id", "order_key") where order_key is not null and state = 'running'`,
    `create unique index "job_unique" on "job" ("org_id", "kind", "unique_key") where unique_key is not null and state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`,
    `create index "job_finished" on "job" ("finished_at") where finished_at is not null`,
    `create index "job_org" on "job" ("org_id", "kind")`,
    `create index "job_unfinished" on "job" ("state", "kind", "due_at") where state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`,
    `create index "job_due" on "job" ("due_at", "seq") where state in ('scheduled', 'retrying')`,
  ])

  // Processes at work. A process keeps its jobs while it is seen.
  await db.schema
    .createTable('job_worker')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('place', 'text')
    .addColumn('pid', 'integer', c => c.notNull())
    .addColumn('seen_at', 'text', c => c.notNull())
    .execute()

  // Work that one process at a time does.
  await db.schema
    .createTable('job_lease')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('owner', 'text', c => c.notNull())
    .execute()

  // Rate limits: how fast the jobs of a key may start, and when the next one may.
  await db.schema
    .createTable('job_pace')
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('pace_key', 'text', c => c.notNull())
    .addColumn('per_second', 'real')
    .addColumn('free_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('job_pace_pk', ['org_id', 'pace_key'])
    .execute()

  await db.schema
    .createTable('org_counter')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('event_seq', 'integer', c => c.notNull())
    .execute()

  // Events of the live stream. `seq` counts per organization, so that it tells nothing about other organizations.
  await db.schema
    .createTable('event')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('number', 'text')
    .addColumn('audience', 'text')
    .addColumn('data', 'text', c => c.notNull())
    .addColumn('conversation_id', 'text')
    .addColumn('actor', 'text')
    .addColumn('actor_name', 'text')
    .addPrimaryKeyConstraint('event_pk', ['org_id', 'seq'])
    .execute()
  await runAll(db, [
    `create index "event_age" on "event" ("at")`,
    // Events that only open tabs are told of; deleted after an hour.
    `create index event_passing on event (at) where type in ('presence', 'draft', 'flowPresence')`,
  ])

  // Addresses of other programs that receive events.
  await db.schema
    .createTable('outgoing_webhook')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('url', 'text', c => c.notNull())
    // The secret that deliveries are signed with.
    .addColumn('sealed', 'text', c => c.notNull())
    .addColumn('active', 'integer', c => c.notNull())
    // Why it was switched off; null: it was not.
    .addColumn('stopped_for', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('outgoing_webhook_key', ['org_id', 'name'])
    .execute()

  // Deliveries to those addresses, with the last attempt.
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('webhook', 'text', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('body', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('attempted_at', 'text')
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('answer', 'text')
    .addColumn('took_ms', 'integer')
    .execute()
  await runAll(db, [
    `create index "webhook_delivery_webhook" on "webhook_delivery" ("org_id", "webhook", "id")`,
    `create index "webhook_delivery_old" on "webhook_delivery" ("created_at")`,
  ])
}
