import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Addresses that programs call with JSON, and their last calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('incoming_hook')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('secret_hash', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('sample', 'text')
    .addColumn('active', 'integer', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('changed_at', 'text', c => c.notNull())
    .addColumn('changed_by', 'text', c => c.notNull())
    .addColumn('calls', 'integer', c => c.notNull())
    .addColumn('minute_ends_at', 'text')
    .execute()
  await db.schema
    .createTable('incoming_call')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('hook_id', 'text', c => c.notNull().references('incoming_hook.id').onDelete('cascade'))
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('outcome', 'text', c => c.notNull())
    .addColumn('number', 'text')
    .addColumn('body', 'text')
    .addColumn('bytes', 'integer', c => c.notNull())
    .addColumn('took_ms', 'integer', c => c.notNull())
    .addColumn('client_key', 'text')
    .addColumn('replay_of', 'text')
    .execute()
  await runAll(db, [
    `create unique index "incoming_hook_secret" on "incoming_hook" ("secret_hash")`,
    `create unique index "incoming_hook_name" on "incoming_hook" ("org_id", "name")`,
    `create index "incoming_call_hook" on "incoming_call" ("hook_id", "id")`,
    `create index "incoming_call_org" on "incoming_call" ("org_id", "at", "hook_id", "state")`,
    `create index "incoming_call_old" on "incoming_call" ("at")`,
    `create unique index "incoming_call_key" on "incoming_call" ("hook_id", "client_key") where "client_key" is not null`,
  ])
}
