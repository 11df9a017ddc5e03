import type { Kysely } from 'kysely'

/** The request that added a job, so that calls to other systems carry its id although the job waited. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('trace', 'text').execute()
}
