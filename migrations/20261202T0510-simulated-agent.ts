import type { Kysely } from 'kysely'

/** Whether Meta's own agent has the chat with a simulated customer. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('sandbox_customer')
    .addColumn('with_agent', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}
