import type { Kysely } from 'kysely'

/** Which stretches of messages a word cannot be in, so that one that is rare is not looked for in each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_outline')
    .addColumn('part', 'integer', c => c.notNull())
    .addColumn('stretch', 'integer', c => c.notNull())
    .addColumn('bits', 'blob', c => c.notNull())
    .addPrimaryKeyConstraint('search_outline_pk', ['part', 'stretch'])
    .execute()
}
