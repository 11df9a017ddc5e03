import type { Kysely } from 'kysely'

/** From how many people a bulk send needs a second person's approval, and who gave it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('bulk_approval_from', 'integer').execute()
  // Null: none is needed.
  await db.schema.alterTable('bulk_send').addColumn('approval', 'text').execute()
  await db.schema.alterTable('bulk_send').addColumn('approved_by', 'text').execute()
  await db.schema.alterTable('bulk_send').addColumn('approved_at', 'text').execute()
}
