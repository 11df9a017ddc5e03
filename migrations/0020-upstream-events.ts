import type { Kysely } from 'kysely'
import { ofOrganization, runAll } from './baseline/schema.ts'

/** Ids of events that an upstream posted, so that one that comes again changes nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upstream_event')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('received_at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('upstream_event_key', ['org_id', 'id'])
    .execute()
  await runAll(db, [
    `create index "upstream_event_age" on "upstream_event" ("received_at")`,
    `create index "upstream_event_last" on "upstream_event" ("org_id", "received_at")`,
  ])
}
