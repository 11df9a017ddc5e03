import { type Kysely, sql } from 'kysely'

/** A bulk send may begin with a few people, stops by itself above its limits, and leaves out who had enough marketing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const send = () => db.schema.alterTable('bulk_send')
  // Null: of a send made before; it has no limits.
  await send().addColumn('care', 'text').execute()
  await send().addColumn('waits_until', 'text').execute()
  await send().addColumn('judged_from', 'text').execute()
  await send()
    .addColumn('opted_out', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('bulk_send_state').on('bulk_send').columns(['connection_id', 'state']).execute()

  await db.schema.alterTable('bulk_recipient').addColumn('marketing_at', 'text').execute()
  await db.schema.alterTable('bulk_recipient').addColumn('opted_out_at', 'text').execute()
  // How much marketing somebody had lately.
  await sql`create index "bulk_recipient_marketing" on "bulk_recipient" ("conversation_id", "marketing_at")
    where "marketing_at" is not null`.execute(db)
}
