import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from './baseline/schema.ts'

/** Who may ask is read with each request, so nothing needs to note that it changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isOnPostgres(db)) return
  await sql`drop function access_changes() cascade`.execute(db)
  await sql`drop table access_change`.execute(db)
}
