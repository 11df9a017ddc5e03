import { type Kysely, sql } from 'kysely'

/**
 * One index over what is unfinished, by state first: it also finds what runs, so that a job enters and leaves one index
 * less on its way.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema.dropIndex('job_running').execute()
  await db.schema.dropIndex('job_kind').execute()
  await db.schema
    .createIndex('job_unfinished')
    .on('job')
    .columns(['state', 'kind', 'due_at'])
    .where(sql<boolean>`state in ('scheduled', 'waiting', 'running', 'retrying', 'parked')`)
    .execute()
}
