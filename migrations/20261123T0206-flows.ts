import { type Kysely, sql } from 'kysely'

/** Flows with their versions, and who is in one: sessions, their steps, and how many began and ended on a day. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('flow')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('position', 'integer', c => c.notNull())
    .addColumn('is_enabled', 'integer', c => c.notNull())
    // JSON: what is drawn, published or not.
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('triggers', 'text', c => c.notNull())
    .addColumn('revision', 'integer', c => c.notNull())
    // The revision that was published last, and as which version; null: never.
    .addColumn('published_revision', 'integer')
    .addColumn('version', 'integer')
    .addColumn('edited_at', 'text', c => c.notNull())
    .addColumn('editor_id', 'text', c => c.notNull())
    .addColumn('editor_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    // Out of everybody's sight; what happened in it is kept until it is old.
    .addColumn('deleted_at', 'text')
    .execute()
  await db.schema.createIndex('flow_order').on('flow').columns(['org_id', 'position', 'id']).execute()

  await db.schema
    .createTable('flow_version')
    .addColumn('flow_id', 'text', c => c.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('version', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('graph', 'text', c => c.notNull())
    .addColumn('triggers', 'text', c => c.notNull())
    .addColumn('note', 'text')
    .addColumn('published_at', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('flow_version_key', ['flow_id', 'version'])
    .execute()

  await db.schema
    .createTable('flow_session')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('flow_id', 'text', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull())
    // Without references: contacts and conversations become one with others.
    .addColumn('contact_id', 'text', c => c.notNull())
    .addColumn('conversation_id', 'text', c => c.notNull())
    .addColumn('trigger', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    // Why it ended so, as a code.
    .addColumn('reason', 'text')
    // JSON: node, variables, tries.
    .addColumn('place', 'text', c => c.notNull())
    .addColumn('steps', 'integer', c => c.notNull())
    // When it goes on by itself; null: it does not.
    .addColumn('wakes_at', 'text')
    .addColumn('started_at', 'text', c => c.notNull())
    .addColumn('moved_at', 'text', c => c.notNull())
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createIndex('flow_session_live')
    .unique()
    .on('flow_session')
    .columns(['org_id', 'contact_id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('flow_session_contact')
    .on('flow_session')
    .columns(['org_id', 'contact_id', 'started_at'])
    .execute()
  await db.schema.createIndex('flow_session_flow').on('flow_session').columns(['org_id', 'flow_id', 'id']).execute()
  await db.schema
    .createIndex('flow_session_of_flow_live')
    .on('flow_session')
    .columns(['org_id', 'flow_id', 'id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema.createIndex('flow_session_old').on('flow_session').columns(['ended_at']).execute()

  await db.schema
    .createTable('flow_step')
    .addColumn('session_id', 'text', c => c.notNull().references('flow_session.id').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('node_id', 'text', c => c.notNull())
    .addColumn('at', 'text', c => c.notNull())
    // What came in; null: nothing did.
    .addColumn('input', 'text')
    // Where it went on; null: it stayed, or nothing follows.
    .addColumn('output', 'text')
    .addColumn('why', 'text')
    // JSON: variables that changed, with what they were before.
    .addColumn('changes', 'text')
    .addColumn('message_id', 'text')
    .addPrimaryKeyConstraint('flow_step_key', ['session_id', 'place'])
    .execute()
  await db.schema.createIndex('flow_step_message').on('flow_step').columns(['message_id']).execute()

  await db.schema
    .createTable('flow_day')
    .addColumn('flow_id', 'text', c => c.notNull().references('flow.id').onDelete('cascade'))
    .addColumn('day', 'text', c => c.notNull())
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('started', 'integer', c => c.notNull())
    .addColumn('finished', 'integer', c => c.notNull())
    .addColumn('handed_off', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('flow_day_key', ['flow_id', 'day'])
    .execute()
}
