import { archiveStates } from '#server/messaging/archive-states.ts'
import type { SnoozeTable } from '#server/messaging/table.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

type NewSnooze = Omit<SnoozeTable, 'org_id' | 'conversation_id' | 'ended_at'>

/** Snoozes these conversations, or snoozes them until another time. */
export async function saveSnoozes(db: OrgDb, orgId: string, ids: readonly string[], values: NewSnooze): Promise<void> {
  await db
    .insertInto('snooze')
    .values(ids.map(conversation_id => ({ ...values, conversation_id, org_id: orgId, ended_at: null })))
    .onConflict(conflict =>
      conflict.column('conversation_id').doUpdateSet(eb => ({
        until: eb.ref('excluded.until'),
        if_no_answer: eb.ref('excluded.if_no_answer'),
        by_id: eb.ref('excluded.by_id'),
        by_name: eb.ref('excluded.by_name'),
        created_at: eb.ref('excluded.created_at'),
        ended_at: null,
      })),
    )
    .execute()
  await db
    .updateTable('conversation')
    .set({ archived: archiveStates.snoozed })
    .where(belongsTo('conversation.org_id', orgId))
    .where('id', 'in', ids)
    .execute()
}

/** Deletes the snoozes of these conversations and opens them. */
export async function deleteSnoozes(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await db.deleteFrom('snooze').where('org_id', '=', orgId).where('conversation_id', 'in', ids).execute()
  await db
    .updateTable('conversation')
    .set({ archived: archiveStates.open })
    .where(belongsTo('conversation.org_id', orgId))
    .where('id', 'in', ids)
    .where('archived', '=', archiveStates.snoozed)
    .execute()
}

/** The answer is false if the snooze was changed or has ended. */
export async function isSnoozedUntil(db: Db, orgId: string, conversationId: string, until: string): Promise<boolean> {
  const row = await db
    .selectFrom('snooze')
    .select('conversation_id')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('until', '=', until)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends a snooze that is due: the conversation is open again, and on top of the list. False: it was ended or changed
 * before.
 */
export async function endDue(
  db: OrgDb,
  orgId: string,
  { conversationId, until, at }: { conversationId: string; until: string; at: string },
): Promise<boolean> {
  const ended = await db
    .updateTable('snooze')
    .set({ ended_at: at })
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('until', '=', until)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (Number(ended.numUpdatedRows) === 0) return false
  const opened = await db
    .updateTable('conversation')
    .set({ archived: archiveStates.open, last_activity_at: at })
    .where(belongsTo('conversation.org_id', orgId))
    .where('id', '=', conversationId)
    .where('archived', '=', archiveStates.snoozed)
    .executeTakeFirst()
  return Number(opened.numUpdatedRows) > 0
}
