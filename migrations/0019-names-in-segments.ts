import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** A filter may name a member who left or a team that was deleted: only segments still know them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(
    db,
    ['owner_id', 'team_id', 'first_reply_by'].map(
      column => `create index conversation_segment_${column} on conversation_segment (org_id, ${column})
        where ${column} is not null`,
    ),
  )
}
