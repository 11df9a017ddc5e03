import { sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'

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

/** If the recipient was unknown when planned: the name of the contact since created. */
const nameOfRecipient = sql<
  string | null
>`coalesce(bulk_recipient.name, nullif(contact.name, ''), nullif(contact.profile_name, ''))`.as('name')

/** Undefined: all. `optedOut`: those who opted out after it. */
export type RecipientFilter =
  | { readonly states: readonly RecipientState[]; readonly reasons?: readonly string[] | undefined }
  | 'optedOut'
  | undefined

/** Ids of recipients, each part in the order of the plan from its index. Exported for tests of the statement. */
export function selectPlaces(
  db: Db,
  orgId: string,
  sendId: string,
  { filter, offset, limit }: { filter: RecipientFilter; offset: number; limit: number },
) {
  const all = db
    .selectFrom('bulk_recipient')
    .select(['bulk_recipient.id', 'bulk_recipient.place'])
    .where('bulk_recipient.send_id', '=', sendId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
  const ofStates = ({ states, reasons }: Exclude<RecipientFilter, 'optedOut' | undefined>) =>
    states.map(state => {
      const one = all.where('bulk_recipient.state', '=', state)
      // The redundant condition lets the engine use the index of reasons.
      return reasons === undefined
        ? one
        : one.where('bulk_recipient.reason', 'in', reasons).where('bulk_recipient.reason', 'is not', null)
    })
  const parts =
    filter === undefined
      ? [all]
      : filter === 'optedOut'
        ? [all.where('bulk_recipient.opted_out_at', 'is not', null)]
        : ofStates(filter)
  const [first, ...others] = parts.map(part => {
    const next = part.orderBy('bulk_recipient.place').limit(offset + limit)
    return db.selectFrom(next.as('next')).select(['next.id', 'next.place'])
  })
  const union = others.reduce((sum, one) => sum.unionAll(one), first as NonNullable<typeof first>)
  return union.orderBy('place').offset(offset).limit(limit)
}

/** The recipients in the order of the plan. */
export function listRecipients(
  db: Db,
  orgId: string,
  sendId: string,
  page: { filter: RecipientFilter; offset: number; limit: number },
): Promise<ReportRow[]> {
  return db
    .selectFrom(selectPlaces(db, orgId, sendId, page).as('of_page'))
    .innerJoin('bulk_recipient', 'bulk_recipient.id', 'of_page.id')
    .leftJoin('conversation', 'conversation.id', 'bulk_recipient.conversation_id')
    .leftJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(reportColumns)
    .select(nameOfRecipient)
    .orderBy('of_page.place')
    .execute()
}

/** Recipients after a position of the plan. */
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

/** Recipients whose messages are read together: a hundred thousand at once would stop everybody for a third of a second. */
const placesAtOnce = 5000

/** Builds queries of the ids of a send's messages, some thousands each. A recipient has the id of the message. */
export async function selectMessageIds(db: Db, orgId: string, sendId: string) {
  const { last } = await db
    .selectFrom('bulk_recipient')
    .select(({ fn }) => fn.max('place').as('last'))
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .executeTakeFirstOrThrow()
  const count = Math.floor(Number(last ?? 0) / placesAtOnce) + 1
  return Array.from({ length: count }, (_, slice) => selectSlice(db, orgId, sendId, slice))
}

const selectSlice = (db: Db, orgId: string, sendId: string, slice: number) =>
  db
    .selectFrom('bulk_recipient')
    .select('id')
    .where('send_id', '=', sendId)
    .where('place', '>=', slice * placesAtOnce)
    .where('place', '<', (slice + 1) * placesAtOnce)
    .where('state', '<>', 'omitted')
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .$asScalar()

/** Counts recipients who failed, are unconfirmed or were omitted, by reason, the most frequent first. */
export async function countReasons(
  db: Db,
  orgId: string,
  sendId: string,
): Promise<{ state: 'failed' | 'unconfirmed' | 'omitted'; reason: string; count: number }[]> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select(['state', 'reason', eb => eb.fn.countAll<number>().as('count')])
    .where('send_id', '=', sendId)
    .where('state', 'in', ['failed', 'unconfirmed', 'omitted'])
    .where('reason', 'is not', null)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .groupBy(['state', 'reason'])
    .$narrowType<{ state: 'failed' | 'unconfirmed' | 'omitted'; reason: string }>()
    .execute()
  return rows.map(row => ({ ...row, count: Number(row.count) })).sort((a, b) => b.count - a.count)
}

/** Numbers of recipients who got it and have not answered, after a position of the plan. */
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
      // Erased people have an empty `given`.
      .where('given', '<>', '')
      .where('place', '>', after)
      .where(belongsTo('bulk_recipient.org_id', orgId))
      .orderBy('place')
      .limit(limit)
      .execute()
  )
}
