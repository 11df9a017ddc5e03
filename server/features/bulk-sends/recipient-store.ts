import { sql } from 'kysely'
import type { TemplateValues } from '#server/messaging/templates/freezing.ts'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { RecipientState } from '#shared/bulk-sends/api.ts'

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

/** Deletes some of a send that is written anew; answers how many went. */
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

export interface PlannedRecipient {
  readonly id: string
  readonly phone: string
  readonly values: TemplateValues
  /** It was tried before, so its message is there. */
  readonly wasTried: boolean
}

const selectPlanned = hotQuery<
  { orgId: string; sendId: string; now: string; limit: number },
  { id: string; given: string; template_values: string | null; handed_at: string | null }
>((db, p) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'given', 'template_values', 'handed_at'])
    .where('send_id', '=', p.sendId)
    .where('state', '=', 'planned')
    .where(eb => eb.or([eb('waits_until', 'is', null), eb('waits_until', '<=', p.now)]))
    .where(belongsTo('bulk_recipient.org_id', p.orgId))
    .orderBy('place')
    .limit(sql<number>`cast(${p.limit} as integer)`),
)

/** The next ones whose turn it is, in the order of the plan; who waits for their own hours comes after them. */
export async function listPlanned(
  db: Db,
  orgId: string,
  sendId: string,
  { now, limit }: { now: string; limit: number },
): Promise<PlannedRecipient[]> {
  const rows = await selectPlanned(db, { orgId, sendId, now, limit })
  return rows.map(row => ({
    id: row.id,
    phone: row.given,
    values: JSON.parse(row.template_values ?? '{}'),
    wasTried: row.handed_at !== null,
  }))
}

/** These wait for their own hours. */
export const saveWaiting = bulkWrite<{ id: string; until: string }, { orgId: string }, never>(
  (_db, rows, { orgId }) => {
    const values = sql.join(rows.map(row => sql`(${row.id}, ${row.until})`))
    return sql<never>`update bulk_recipient set waits_until = v.column2 from (values ${values}) as v
      where bulk_recipient.id = v.column1 and ${belongsTo('bulk_recipient.org_id', orgId)}`
  },
  'update',
)

/** When the hours of the first of those who wait for theirs begin; undefined: nobody waits. */
export async function findFirstWaiting(db: Db, orgId: string, sendId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bulk_recipient')
    .select(eb => eb.fn.min('waits_until').as('first'))
    .where('send_id', '=', sendId)
    .where('state', '=', 'planned')
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .executeTakeFirst()
  return row?.first ?? undefined
}

/** Ids of those that were handed over and wait to leave. */
export async function listQueued(db: Db, orgId: string, sendId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select('id')
    .where('send_id', '=', sendId)
    .where('state', '=', 'queued')
    .where('reason', 'is', null)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

const selectUnconfirmed = hotQuery<{ orgId: string; sendId: string }, { count: number }>((db, p) =>
  db
    .selectFrom('bulk_recipient')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('send_id', '=', p.sendId)
    .where('state', '=', 'queued')
    .where('reason', 'is not', null)
    .where(belongsTo('bulk_recipient.org_id', p.orgId)),
)

/** How many may have left, and nobody knows whether WhatsApp took them. */
export async function countUnconfirmed(db: Db, orgId: string, sendId: string): Promise<number> {
  const [row] = await selectUnconfirmed(db, { orgId, sendId })
  return Number(row?.count ?? 0)
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

/** Those of these conversations that were written to since then and have not answered. */
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

/** Those of these conversations that were written to since then and have not opted out since, by what they had last. */
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

/** They wanted no marketing any more. */
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

/** Plans some anew who failed for one of these reasons; answers how many. */
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

/** A conversation became part of another. */
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

export interface ReportRow {
  readonly id: string
  readonly place: number
  readonly given: string
  readonly name: string | null
  readonly state: RecipientState
  readonly reason: string | null
  readonly conversation_id: string | null
  readonly changed_at: string | null
}

const reportColumns = [
  'bulk_recipient.id',
  'bulk_recipient.place',
  'bulk_recipient.given',
  'bulk_recipient.state',
  'bulk_recipient.reason',
  'bulk_recipient.conversation_id',
  'bulk_recipient.changed_at',
] as const
/** Of somebody who was a stranger when it was planned: the name of the contact they are since. */
const nameOfRecipient = sql<
  string | null
>`coalesce(bulk_recipient.name, nullif(contact.name, ''), nullif(contact.profile_name, ''))`.as('name')

/** In the order of the plan. */
export function listRecipients(
  db: Db,
  orgId: string,
  sendId: string,
  {
    state,
    reasons,
    offset,
    limit,
  }: { state: RecipientState | undefined; reasons?: readonly string[] | undefined; offset: number; limit: number },
): Promise<ReportRow[]> {
  let query = db
    .selectFrom('bulk_recipient')
    .leftJoin('conversation', 'conversation.id', 'bulk_recipient.conversation_id')
    .leftJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(reportColumns)
    .select(nameOfRecipient)
    .where('bulk_recipient.send_id', '=', sendId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
  if (state) query = query.where('bulk_recipient.state', '=', state)
  // Said twice, so that the engine sees that its index of reasons has them all.
  if (reasons !== undefined)
    query = query.where('bulk_recipient.reason', 'in', reasons).where('bulk_recipient.reason', 'is not', null)
  return query.orderBy('bulk_recipient.place').offset(offset).limit(limit).execute()
}

/** Those behind a place of the plan, in its order. */
export function listBehind(
  db: Db,
  orgId: string,
  sendId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ReportRow[]> {
  return db
    .selectFrom('bulk_recipient')
    .leftJoin('conversation', 'conversation.id', 'bulk_recipient.conversation_id')
    .leftJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(reportColumns)
    .select(nameOfRecipient)
    .where('bulk_recipient.send_id', '=', sendId)
    .where('bulk_recipient.place', '>', after)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .orderBy('bulk_recipient.place')
    .limit(limit)
    .execute()
}

/** How many failed or were left out, by why; the most first. */
export async function countReasons(
  db: Db,
  orgId: string,
  sendId: string,
): Promise<{ state: 'failed' | 'omitted'; reason: string; count: number }[]> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select(['state', 'reason', eb => eb.fn.countAll<number>().as('count')])
    .where('send_id', '=', sendId)
    .where('state', 'in', ['failed', 'omitted'])
    .where('reason', 'is not', null)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .groupBy(['state', 'reason'])
    .$narrowType<{ state: 'failed' | 'omitted'; reason: string }>()
    .execute()
  return rows.map(row => ({ ...row, count: Number(row.count) })).sort((a, b) => b.count - a.count)
}

/** Numbers of those who got it and have not answered, behind a place of the plan, in its order. */
export function listUnanswered(
  db: Db,
  orgId: string,
  sendId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ place: number; given: string }[]> {
  return (
    db
      .selectFrom('bulk_recipient')
      .select(['place', 'given'])
      .where('send_id', '=', sendId)
      .where('state', 'in', ['sent', 'delivered', 'read'])
      // Who was erased is nobody to write to.
      .where('given', '<>', '')
      .where('place', '>', after)
      .where(belongsTo('bulk_recipient.org_id', orgId))
      .orderBy('place')
      .limit(limit)
      .execute()
  )
}

/** Whether who gets what is being written down. */
export const isAnyPrepared = async (db: Db, orgId: string): Promise<boolean> =>
  (await db
    .selectFrom('bulk_send')
    .select('id')
    .where('org_id', '=', orgId)
    .where('state', '=', 'preparing')
    .executeTakeFirst()) !== undefined

/** The next rows of any organization behind an id: it tells theirs by `org_id`. */
export const listRecipientPage = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'org_id', 'send_id', 'given', 'state', 'conversation_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Nobody in particular stands there any more. */
export async function blankRecipients(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await db
    .updateTable('bulk_recipient')
    .set({ given: '', name: null, template_values: null, conversation_id: null })
    .where('id', 'in', ids)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .execute()
}
