import { type RawBuilder, sql } from 'kysely'
import type { OrgWrite } from '../events/writes.ts'
import { wholeOrganization } from '../visibility/scope.ts'
import { tagsOf } from './list-row.ts'
import { placeOf, presentConversation } from './present.ts'
import { listConversations } from './store.ts'

/** Rows of the list that are told of it; whoever shows more sees it when they are read again. */
const maxEvents = 100

/** SQLite's own words for "so many seconds earlier"; the one place of the room that would be said otherwise elsewhere. */
const earlier = (column: string, ms: number): RawBuilder<string> =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, ${`-${(ms / 1000).toFixed(3)} seconds`})`

/**
 * Lets time pass for an organization: all its conversations and messages become `ms` older, so that windows close as
 * they would. For the simulator's clock. Emits the rows of the list that people see change.
 */
export async function ageConversations(write: OrgWrite, ms: number): Promise<void> {
  const { db, orgId, emit } = write
  await db
    .updateTable('conversation')
    .set({
      window_closes_at: earlier('window_closes_at', ms),
      last_activity_at: earlier('last_activity_at', ms),
      last_message_at: earlier('last_message_at', ms),
      last_human_event_at: earlier('last_human_event_at', ms),
      created_at: earlier('created_at', ms),
    })
    .where('org_id', '=', orgId)
    .execute()
  await db
    .updateTable('message')
    .set({
      at: earlier('at', ms),
      sent_at: earlier('sent_at', ms),
      delivered_at: earlier('delivered_at', ms),
      read_at: earlier('read_at', ms),
      failed_at: earlier('failed_at', ms),
      edited_at: earlier('edited_at', ms),
      revoked_at: earlier('revoked_at', ms),
    })
    .where('org_id', '=', orgId)
    .execute()
  await db
    .updateTable('reaction')
    .set({ at: earlier('at', ms) })
    .where('org_id', '=', orgId)
    .execute()
  await db
    .updateTable('contact')
    .set({ created_at: earlier('created_at', ms), updated_at: earlier('updated_at', ms) })
    .where('org_id', '=', orgId)
    .execute()
  await db
    .updateTable('contact_identity')
    .set({ seen_at: earlier('seen_at', ms) })
    .where('org_id', '=', orgId)
    .execute()
  for (const archived of [false, true]) {
    const { rows } = await listConversations(db, wholeOrganization(orgId), { page: 1, pageSize: maxEvents, archived })
    const tags = await tagsOf(
      db,
      orgId,
      rows.map(row => row.contact_id),
    )
    for (const row of rows) {
      const conversation = presentConversation(row, tags.get(row.contact_id))
      emit({ type: 'conversation.changed', data: { ...placeOf(row), conversation } })
    }
  }
}
