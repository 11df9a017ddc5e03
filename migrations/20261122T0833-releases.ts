import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Whoever leaves an organization leaves its conversations to the others: a job takes their name off in batches and says
 * so, where a trigger did it in one statement, however many there were, and in silence.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql.raw('drop trigger member_leaves_conversations').execute(db)
}
