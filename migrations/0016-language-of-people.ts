import type { Kysely } from 'kysely'

/** Mails of the report are in the language that each recipient uses, so that nobody chooses it for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('user').addColumn('language', 'text').execute()
  await db.schema.alterTable('stats_report_recipient').dropColumn('language').execute()
}
