import { type Selectable, sql } from 'kysely'
import type { AnswerDueTable } from '#server/messaging/table.ts'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export type AnswerDue = Selectable<AnswerDueTable>

/** The condition of `AwaitingConversation.isPersons` in SQL. `id`: the column with the id of the conversation. */
export const isPersonsConversation = (id: string) =>
  sql<boolean>`exists (select 1 from conversation as awaiting join contact as customer on customer.id = awaiting.contact_id
    where awaiting.id = ${sql.ref(id)} and awaiting.archived = 0 and awaiting.control in ('human', 'needsHuman')
      and customer.blocked_at is null and customer.is_group = 0)`

/** The rows of these conversations, in no order. */
export const findAnswerDues = lookupQuery<object, AnswerDue>((db, ids) =>
  db.selectFrom('answer_due').selectAll().where('conversation_id', 'in', ids),
)

/** A page of the organization's rows in the order of conversation ids, after the id `after`. */
export const listAnswerDues = (db: Db, orgId: string, after: string, limit: number): Promise<AnswerDue[]> =>
  db
    .selectFrom('answer_due')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('conversation_id', '>', after)
    .orderBy('conversation_id')
    .limit(limit)
    .execute()

export const saveAnswerDues = bulkWrite<Omit<AnswerDue, 'org_id'>, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('answer_due')
      .values(
        rows.map(row => ({
          conversation_id: row.conversation_id,
          org_id: orgId,
          segment_id: row.segment_id,
          since: row.since,
          due_at: row.due_at,
          warned_at: row.warned_at,
        })),
      )
      .onConflict(conflict =>
        conflict.column('conversation_id').doUpdateSet(eb => ({
          segment_id: eb.ref('excluded.segment_id'),
          since: eb.ref('excluded.since'),
          due_at: eb.ref('excluded.due_at'),
          warned_at: eb.ref('excluded.warned_at'),
        })),
      ) as never,
)

const rowsPerStatement = 200

export async function deleteAnswerDues(db: OrgDb, orgId: string, conversationIds: readonly string[]): Promise<void> {
  for (let from = 0; from < conversationIds.length; from += rowsPerStatement)
    await db
      .deleteFrom('answer_due')
      .where(belongsTo('answer_due.org_id', orgId))
      .where('conversation_id', 'in', conversationIds.slice(from, from + rowsPerStatement))
      .execute()
}

/** True: this call marked the row. False: it was marked before, or it belongs to another segment. */
export async function markWarned(
  db: OrgDb,
  orgId: string,
  { conversationId, segmentId, at }: { conversationId: string; segmentId: string; at: string },
): Promise<boolean> {
  const result = await db
    .updateTable('answer_due')
    .set({ warned_at: at })
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('segment_id', '=', segmentId)
    .where('warned_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}
