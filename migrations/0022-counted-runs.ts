import type { Kysely } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** Sessions of a flow by when they began and ended, as the statistics count them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create index flow_session_started on flow_session (org_id, flow_id, started_at) where test_id is null`,
    `create index flow_session_counted on flow_session (org_id, flow_id, state, ended_at) where test_id is null`,
  ])
}
