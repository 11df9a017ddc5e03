import { type Kysely, sql } from 'kysely'

/** What falls due at one moment is staged in the order in which it was added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('job_due').execute()
  await db.schema
    .createIndex('job_due')
    .on('job')
    .columns(['due_at', 'seq'])
    .where(sql<boolean>`state in ('scheduled', 'retrying')`)
    .execute()
}
