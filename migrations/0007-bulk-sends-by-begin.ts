import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Bulk sends by when they began, for statistics of a range of days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create index bulk_send_begun on bulk_send (org_id, is_test, coalesce(started_at, created_at), id)`,
  ])
}
