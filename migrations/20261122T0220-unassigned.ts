import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Whoever leaves an organization, by any way, leaves its conversations to the others. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createIndex('conversation_assigned')
    .on('conversation')
    .columns(['org_id', 'assignee_id'])
    .where(sql.ref('assignee_id'), 'is not', null)
    .execute()
  // PostgreSQL's installations begin after this trigger was taken away again.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql
    .raw(`create trigger member_leaves_conversations after delete on member
   begin update conversation set assignee_id = null where org_id = old."organizationId" and assignee_id = old."userId"; end`)
    .execute(db)
}
