import type { Kysely } from 'kysely'

/** How a number stands with Meta as it was last read, the order of numbers, and what the simulator has of both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('number_standing')
    .addColumn('connection_id', 'text', c => c.primaryKey().references('wa_connection.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('read_at', 'text', c => c.notNull())
    // JSON of what Meta said, part by part; a part it did not say has the code of why.
    .addColumn('facts', 'text', c => c.notNull())
    // The business's picture as a data address; null: none.
    .addColumn('picture', 'text')
    .execute()
  await db.schema.createIndex('number_standing_org').on('number_standing').column('org_id').execute()
  await db.schema
    .alterTable('wa_connection')
    .addColumn('place', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('sandbox_number')
    .addColumn('profile', 'text', c => c.notNull().defaultTo('{}'))
    .execute()
  await db.schema.alterTable('sandbox_number').addColumn('signup_code_hash', 'text').execute()
  await db.schema.alterTable('sandbox_number').addColumn('signup_code_ms', 'integer').execute()
  // Pictures of a profile only: a template's file is never looked at again.
  await db.schema.alterTable('sandbox_upload').addColumn('bytes', 'blob').execute()
}
