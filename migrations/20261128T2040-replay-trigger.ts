import type { Kysely } from 'kysely'

/** A replay of the sessions alone that one trigger began. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // null: of all of them.
  await db.schema.alterTable('flow_replay').addColumn('trigger', 'text').execute()
  await db.schema
    .createIndex('flow_session_trigger')
    .on('flow_session')
    .columns(['org_id', 'flow_id', 'trigger', 'id'])
    .execute()
}
