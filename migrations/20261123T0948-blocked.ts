import type { Kysely } from 'kysely'

/** Who is blocked: since when, and by whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contact').addColumn('blocked_at', 'text').execute()
  await db.schema.alterTable('contact').addColumn('blocked_by', 'text').execute()
}
