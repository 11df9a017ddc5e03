import type { Kysely } from 'kysely'

/** When a flow's live version last cost more than a message may, since it was published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('flow').addColumn('limited_at', 'text').execute()
}
