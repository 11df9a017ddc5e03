import type { Kysely } from 'kysely'

/** Until when Meta takes nothing for what is written to somebody who came by an advertisement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('conversation').addColumn('free_until', 'text').execute()
}
