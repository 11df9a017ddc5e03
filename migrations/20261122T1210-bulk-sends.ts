import { type Kysely, sql } from 'kysely'

/** One template to many people: what was asked for, and each person with what they get and what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const counts = ['planned', 'queued', 'sent', 'delivered', 'read', 'replied', 'failed', 'omitted']
  let send = db.schema
    .createTable('bulk_send')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('template_id', 'text', c => c.notNull())
    .addColumn('template', 'text', c => c.notNull())
    .addColumn('request', 'text')
    .addColumn('audience', 'text', c => c.notNull())
    .addColumn('start_if_planned', 'integer')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('creator_id', 'text', c => c.notNull())
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('started_at', 'text')
    .addColumn('ended_at', 'text')
    .addColumn('announced_at', 'text')
  for (const name of counts) send = send.addColumn(name, 'integer', c => c.notNull().defaultTo(0))
  await send.execute()
  await db.schema.createIndex('bulk_send_newest').on('bulk_send').columns(['org_id', 'id desc']).execute()

  await db.schema
    .createTable('bulk_recipient')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('send_id', 'text', c => c.notNull().references('bulk_send.id').onDelete('cascade'))
    .addColumn('place', 'integer', c => c.notNull())
    .addColumn('given', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('template_values', 'text')
    .addColumn('conversation_id', 'text')
    .addColumn('handed_at', 'text')
    .addColumn('changed_at', 'text')
    .addUniqueConstraint('bulk_recipient_place', ['send_id', 'place'])
    .execute()
  await db.schema.createIndex('bulk_recipient_org').on('bulk_recipient').column('org_id').execute()
  await db.schema
    .createIndex('bulk_recipient_state')
    .on('bulk_recipient')
    .columns(['send_id', 'state', 'place'])
    .execute()
  // What became of many is counted by why.
  await sql`create index "bulk_recipient_reason" on "bulk_recipient" ("send_id", "state", "reason")
    where "reason" is not null`.execute(db)
  // Whose answer a customer's message is.
  await sql`create index "bulk_recipient_conversation" on "bulk_recipient" ("conversation_id", "handed_at")
    where "conversation_id" is not null`.execute(db)
}
