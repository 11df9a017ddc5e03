import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'

export interface NewRecipient {
  readonly id: string
  readonly place: number
  readonly given: string
  readonly name: string | null
  readonly state: 'planned' | 'omitted'
  readonly reason: string | null
  /** JSON */
  readonly values: string | null
}

export const insertRecipients = bulkWrite<NewRecipient, { orgId: string; sendId: string }, never>(
  (db, rows, { orgId, sendId }) =>
    db.insertInto('bulk_recipient').values(
      rows.map(row => ({
        id: row.id,
        org_id: orgId,
        send_id: sendId,
        place: row.place,
        given: row.given,
        name: row.name,
        state: row.state,
        reason: row.reason,
        template_values: row.values,
      })),
    ) as never,
)

/** Deletes up to `limit` recipients of a plan that is started over. Returns how many. */
export async function deleteRecipients(db: OrgDb, orgId: string, sendId: string, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select('id')
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .limit(limit)
    .execute()
  if (rows.length)
    await db
      .deleteFrom('bulk_recipient')
      .where(
        'id',
        'in',
        rows.map(row => row.id),
      )
      .execute()
  return rows.length
}

export const saveHandedOver = bulkWrite<
  { id: string; conversationId: string },
  { orgId: string; at: string; marketingAt: string | null },
  never
>((_db, rows, { orgId, at, marketingAt }) => {
  const values = sql.join(rows.map(row => sql`(${row.id}, ${row.conversationId})`))
  return sql<never>`update bulk_recipient set state = 'queued', conversation_id = v.column2, handed_at = ${at},
      changed_at = ${at}, marketing_at = ${marketingAt} from (values ${values}) as v
      where bulk_recipient.id = v.column1 and ${belongsTo('bulk_recipient.org_id', orgId)}`
}, 'update')

export interface RecipientRow {
  readonly id: string
  readonly send_id: string
  readonly state: RecipientState
  readonly reason: string | null
}

export const findRecipients = lookupQuery<{ orgId: string }, RecipientRow>((db, ids, { orgId }) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'send_id', 'state', 'reason'])
    .where('id', 'in', ids)
    .where(belongsTo('bulk_recipient.org_id', orgId)),
)

export interface AnswerableRow extends RecipientRow {
  readonly conversation_id: string
  readonly handed_at: string
}

/** Recipients in these conversations since a time who have not answered. */
export const findAnswerable = lookupQuery<{ orgId: string; since: string }, AnswerableRow>(
  (db, ids, { orgId, since }) =>
    db
      .selectFrom('bulk_recipient')
      .select(['id', 'send_id', 'state', 'reason', 'conversation_id', 'handed_at'])
      .where('conversation_id', 'in', ids)
      .where('handed_at', '>', since)
      .where('state', 'in', ['queued', 'sent', 'delivered', 'read'])
      .where(belongsTo('bulk_recipient.org_id', orgId))
      .$narrowType<{ conversation_id: string; handed_at: string }>(),
)

/** Recipients in these conversations since a time who have not opted out, latest send first. */
export const findOfLatest = lookupQuery<{ orgId: string; since: string }, AnswerableRow>((db, ids, { orgId, since }) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'send_id', 'state', 'reason', 'conversation_id', 'handed_at'])
    .where('conversation_id', 'in', ids)
    .where('handed_at', '>', since)
    .where('opted_out_at', 'is', null)
    .where('state', 'in', ['queued', 'sent', 'delivered', 'read', 'replied'])
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .$narrowType<{ conversation_id: string; handed_at: string }>(),
)

/** Records that they opted out. */
export async function saveOptedOut(
  db: OrgDb,
  orgId: string,
  { ids, at }: { ids: readonly string[]; at: string },
): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('bulk_recipient')
    .set({ opted_out_at: at })
    .where('id', 'in', ids)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .execute()
}

export const saveStates = bulkWrite<
  { id: string; state: string; reason: string | null },
  { orgId: string; at: string },
  never
>((_db, rows, { orgId, at }) => {
  const values = sql.join(rows.map(row => sql`(${row.id}, ${row.state}, ${row.reason})`))
  return sql<never>`update bulk_recipient set state = v.column2, reason = v.column3, changed_at = ${at}
    from (values ${values}) as v
    where bulk_recipient.id = v.column1 and ${belongsTo('bulk_recipient.org_id', orgId)}`
}, 'update')

/** Plans up to `limit` recipients again who failed for these reasons. Returns how many. */
export async function planAgain(
  db: OrgDb,
  orgId: string,
  sendId: string,
  { codes, at, limit }: { codes: readonly string[]; at: string; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select('id')
    .where('send_id', '=', sendId)
    .where('state', '=', 'failed')
    .where('reason', 'in', codes)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .limit(limit)
    .execute()
  await saveStates(
    db,
    rows.map(({ id }) => ({ id, state: 'planned', reason: null })),
    { orgId, at },
  )
  return rows.length
}

/** Follows a merge of conversations. */
export async function moveConversation(
  db: OrgDb,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('bulk_recipient')
    .set({ conversation_id: to })
    .where('conversation_id', '=', from)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .execute()
}

export const isAnyPrepared = async (db: Db, orgId: string): Promise<boolean> =>
  (await db
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', orgId)
    .where('state', '=', 'preparing')
    .executeTakeFirst()) !== undefined

/** The next rows of all organizations after an id. The caller compares `org_id`. */
export const listRecipientPage = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'org_id', 'send_id', 'given', 'state', 'conversation_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Removes what identifies these people. */
export async function blankRecipients(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('bulk_recipient')
    .set({ given: '', name: null, template_values: null, conversation_id: null })
    .where('id', 'in', ids)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .execute()
}
