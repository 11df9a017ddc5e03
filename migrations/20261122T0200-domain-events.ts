import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('org_counter')
    .addColumn('domain_seq', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('domain_event')
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addColumn('by', 'text', c => c.notNull())
    .addColumn('data', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('domain_event_pk', ['org_id', 'seq'])
    .execute()
  await db.schema.createIndex('domain_event_at').on('domain_event').column('at').execute()

  await db.schema
    .createTable('event_listener')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('created_at', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('event_cursor')
    .addColumn('listener', 'text', c => c.notNull().references('event_listener.name').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('due_at', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('event_cursor_pk', ['listener', 'org_id'])
    .execute()
  await db.schema.createIndex('event_cursor_org').on('event_cursor').column('org_id').execute()

  await db.schema
    .createTable('parked_event')
    .addColumn('listener', 'text', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('parked_event_pk', ['listener', 'org_id', 'seq'])
    .execute()
  await db.schema.createIndex('parked_event_org').on('parked_event').column('org_id').execute()
}
