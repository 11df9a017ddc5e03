import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Statistics read unattended segments newest first, in slices: the index has their order, so that no slice sorts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `drop index conversation_segment_waiting`,
    `create index conversation_segment_unattended on conversation_segment (org_id, started_at, id)
       where is_last = 1 and resolved_at is null and waiting_since is not null and first_reply_at is null`,
  ])
}
