import { type Kysely, sql } from 'kysely'

/** The failure of the simulator that nothing is heard of is named by what is missing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update sandbox_fault set code = 'noStatus' where code = 'silence'`.execute(db)
}
