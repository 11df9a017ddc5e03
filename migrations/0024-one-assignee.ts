import { type Kysely, sql } from 'kysely'
import { runAll } from './baseline/schema.ts'

/** `taken_by` left out, at any depth. */
const withoutTaker = (moved: string): string =>
  JSON.stringify(JSON.parse(moved, (key, value) => (key === 'taken_by' ? undefined : value)))

/**
 * A conversation has one assignee. Until now, `taken_by` named the member who answered an unassigned one: they become its
 * assignee if they are still members. Whether the first reply of a member assigns a conversation is a setting.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('org_settings').addColumn('assign_on_reply', 'integer').execute()
  await runAll(db, [
    `update conversation set assignee_id = taken_by
       where assignee_id is null and taken_by is not null
         and (control = 'human' or (control = 'none' and control_before_archive = 'human'))
         and exists (select 1 from member
           where member."organizationId" = conversation.org_id and member."userId" = conversation.taken_by)`,
  ])
  // A merge that is undone restores the rows as they were.
  const { rows } = await sql<{
    id: string
    moved: string
  }>`select id, moved from contact_merge where moved is not null`.execute(db)
  for (const { id, moved } of rows)
    await sql`update contact_merge set moved = ${withoutTaker(moved)} where id = ${id}`.execute(db)
  await db.schema.alterTable('conversation').dropColumn('taken_by').execute()
}
