import { type Kysely, sql } from 'kysely'

/** Of a conversation that another system keeps: how many messages it counted as unread when it last told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversation add column outside_unread integer`.execute(db)
}
