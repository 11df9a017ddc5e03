import { type Kysely, sql } from 'kysely'

/** The name of who made an event, and a way to the ones that open tabs alone are told of, which go after an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('event').addColumn('actor_name', 'text').execute()
  await sql`create index event_passing on event (at) where type in ('presence', 'draft', 'flowPresence')`.execute(db)
}
