import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Each message needs the last segment of its conversation, which may have hundreds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create index conversation_segment_last on conversation_segment (conversation_id) where is_last = 1`,
  ])
}
