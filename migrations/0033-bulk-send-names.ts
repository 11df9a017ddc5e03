import type { Kysely } from 'kysely'

/** The name of a bulk send; null: it was made before sends had names, and goes by its template's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('bulk_send').addColumn('name', 'text').execute()
}
