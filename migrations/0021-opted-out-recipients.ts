import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Recipients of a bulk send who opted out after it: few of up to 100,000. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create index bulk_recipient_opted_out on bulk_recipient (send_id, place) where opted_out_at is not null`,
  ])
}
