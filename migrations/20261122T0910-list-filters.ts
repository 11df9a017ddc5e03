import { type Kysely, sql } from 'kysely'

/**
 * What the list of conversations is narrowed by is read from an index in the list's order: the unread, those that need a
 * person, those whose last message failed, whose they are, and when a window closes.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`drop index "conversation_unread"`.execute(db)
  for (const [name, condition] of [
    ['conversation_unread', `"unread" > 0`],
    ['conversation_needed', `"control" = 'needsHuman'`],
    ['conversation_failed', `"last_message_status" = 'failed'`],
  ] as const)
    await sql`create index ${sql.id(name)} on "conversation"
      ("org_id", "kind", "archived", "last_activity_at" desc, "id" desc) where ${sql.raw(condition)}`.execute(db)
  await sql`create index "conversation_assignee" on "conversation"
    ("org_id", "assignee_id", "kind", "archived", "last_activity_at" desc, "id" desc)`.execute(db)
  await sql`drop index "conversation_assigned"`.execute(db)
  await sql`create index "conversation_closing" on "conversation"
    ("org_id", "kind", "archived", "window_closes_at", "id") where "window_closes_at" is not null`.execute(db)
  await sql`drop index "contact_tag_tag"`.execute(db)
  await sql`create index "contact_tag_tag" on "contact_tag" ("org_id", "tag_id", "contact_id")`.execute(db)
}
