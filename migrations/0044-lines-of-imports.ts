import type { Kysely } from 'kysely'

/** The lines that an import does not take, apart from their counts, so that lists of imports do not read them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // JSON. Null: they are in `refused`, as earlier versions wrote them.
  await db.schema.alterTable('chat_import').addColumn('refused_lines', 'text').execute()
}
