import { type Kysely, sql } from 'kysely'

/** Bulk sends hid what customers had asked, and conversations of nothing else stood in the list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const showsBulk = sql`exists (select 1 from message
    where message.seq = conversation.last_message_seq and message.author_kind = 'bulk')`
  const others = sql`from message where message.conversation_id = conversation.id
    and coalesce(message.author_kind, '') <> 'bulk'`
  await sql`update conversation set last_activity_at = '1970-01-01T00:00:00.000Z'
    where unread = 0 and window_closes_at is null and ${showsBulk} and not exists (select 1 ${others})`.execute(db)
  await sql`update conversation set
      last_activity_at = case when last_activity_at = last_message_at
        then (select at ${others} order by at desc, seq desc limit 1) else last_activity_at end,
      (last_message_seq, last_message_at, last_message_text, last_message_type, last_message_direction, last_message_status) =
        (select seq, at, substr(text, 1, 280), type, direction, status ${others} order by at desc, seq desc limit 1)
    where ${showsBulk} and exists (select 1 ${others})`.execute(db)
}
