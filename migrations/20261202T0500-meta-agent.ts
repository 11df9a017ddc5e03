import { type Kysely, sql } from 'kysely'

/** The list of conversations that Meta's own agent answers is read by an index, as the one of those that wait for a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "conversation_meta_agent" on "conversation"
    ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where "control" = 'metaAgent'`.execute(db)
}
