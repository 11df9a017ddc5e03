import type { Kysely } from 'kysely'

/** How large a picture is, so that its place is kept before it is there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('width', 'integer').execute()
  await db.schema.alterTable('media').addColumn('height', 'integer').execute()
}
