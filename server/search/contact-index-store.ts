import { type RawBuilder, sql } from 'kysely'
import { belongsTo, bulkWrite } from '../bulk.ts'
import type { Db } from '../db.ts'
import { listedKind } from '../numbers/listed-kind.ts'
import { seen } from '../visibility/condition.ts'
import type { Viewer } from '../visibility/scope.ts'
import type { Needle } from './contact-terms.ts'

export const insertTerms = bulkWrite<{ contactId: string; term: string }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('contact_term')
      .values(rows.map(({ contactId, term }) => ({ contact_id: contactId, term, org_id: orgId }))) as never,
)

export const deleteTerms = bulkWrite<{ contactId: string }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .deleteFrom('contact_term')
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contactId),
      )
      .where(belongsTo('contact_term.org_id', orgId)) as never,
)

/** Behind every letter there is. */
const last = '\u{10ffff}'

const beginsWith = (needle: Needle, table: string): RawBuilder<boolean> => {
  const term = sql.ref(`${table}.term`)
  const ranges = needle.map(start => sql<boolean>`(${term} >= ${start} and ${term} < ${start + last})`)
  return sql<boolean>`(${sql.join(ranges, sql` or `)})`
}

/** Contacts with a term of a needle, one range of the index after the other; one with several terms comes as often. */
const contactsOf = (orgId: string, needle: Needle): RawBuilder<{ contact_id: string }> =>
  sql`${sql.join(
    needle.map(
      start => sql`select found.contact_id from contact_term as found
        where found.org_id = ${orgId} and found.term >= ${start} and found.term < ${start + last}`,
    ),
    sql` union all `,
  )}`

/** How many terms of the organization a needle means; counted up to `most`. */
export async function countTerms(db: Db, orgId: string, needle: Needle, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n
    from (select contact_id from (${contactsOf(orgId, needle)}) as every limit cast(${most} as integer)) as counted`.execute(
    db,
  )
  return Number(rows[0]?.n ?? 0)
}

const hasAll = (needles: readonly Needle[], contact: string): RawBuilder<boolean> =>
  needles.length
    ? sql<boolean>`(${sql.join(
        needles.map(
          needle => sql`exists (select 1 from contact_term as other
            where other.contact_id = ${sql.ref(contact)} and ${beginsWith(needle, 'other')})`,
        ),
        sql` and `,
      )})`
    : sql<boolean>`true`

export interface FoundConversation {
  readonly id: string
  /** When it was active last. */
  readonly at: string
}

export interface Among {
  /** Undefined: archived or not. */
  readonly archived?: boolean | undefined
  readonly limit: number
}

const isAmong = ({ archived }: Among): RawBuilder<boolean> =>
  archived === undefined ? sql<boolean>`true` : sql<boolean>`conversation.archived = ${archived ? 1 : 0}`

/**
 * Conversations whose contact has all of the needles, last active first; the first needle is the way in, and at most
 * `mostContacts` of its contacts are looked at.
 */
export async function findByTerms(
  db: Db,
  { orgId, scope }: Viewer,
  needles: readonly [Needle, ...Needle[]],
  among: Among & { mostContacts: number },
): Promise<FoundConversation[]> {
  const [first, ...others] = needles
  const { rows } = await sql<FoundConversation>`select conversation.id, conversation.last_activity_at as at
    from (select distinct every.contact_id from (${contactsOf(orgId, first)}) as every
      where ${hasAll(others, 'every.contact_id')} limit cast(${among.mostContacts} as integer)) as meant
    cross join conversation
    where conversation.contact_id = meant.contact_id and ${belongsTo('conversation.org_id', orgId)} and conversation.kind = ${listedKind(orgId)} and ${isAmong(among)}
      and ${seen(scope)}
    order by conversation.last_activity_at desc, conversation.id desc limit cast(${among.limit} as integer)`.execute(db)
  return rows
}

/** Where a walk through the conversations stands: the last one that was looked at. */
export interface WalkPlace {
  readonly at: string
  readonly id: string
}

interface Stretch {
  readonly archived: boolean
  /** From behind it; absent: from the one that was active last. */
  readonly after?: WalkPlace | undefined
  readonly count: number
}

/** The next conversations, latest activity first. For whoever sees all of them their index alone is read. */
const stretchOf = (orgId: string, columns: RawBuilder<unknown>, { archived, after, count }: Stretch) =>
  sql`select ${columns} from conversation
    where conversation.org_id = ${orgId} and conversation.kind = ${listedKind(orgId)}
      and conversation.archived = ${archived ? 1 : 0}
      ${after ? sql`and (conversation.last_activity_at, conversation.id) < (${after.at}, ${after.id})` : sql``}
    order by conversation.last_activity_at desc, conversation.id desc limit cast(${count} as integer)`

const walked = sql`id, contact_id, last_activity_at`
const walkedByScope = sql`id, org_id, contact_id, assignee_id, team_id, last_activity_at`

/** Of the next conversations those whose contact has all of the needles, latest activity first. */
export async function findInStretch(
  db: Db,
  { orgId, scope }: Viewer,
  needles: readonly Needle[],
  stretch: Stretch,
): Promise<FoundConversation[]> {
  const columns = scope.kind === 'all' ? walked : walkedByScope
  const { rows } = await sql<FoundConversation>`select conversation.id, conversation.last_activity_at as at
    from (${stretchOf(orgId, columns, stretch)}) as conversation
    where ${hasAll(needles, 'conversation.contact_id')} and ${seen(scope)}
    order by conversation.last_activity_at desc, conversation.id desc`.execute(db)
  return rows
}

/** The last of the next conversations; undefined: there are not so many. */
export async function endOfStretch(db: Db, orgId: string, stretch: Stretch): Promise<WalkPlace | undefined> {
  const { rows } = await sql<WalkPlace>`${stretchOf(orgId, sql`last_activity_at as at, id`, { ...stretch, count: 1 })}
    offset cast(${stretch.count - 1} as integer)`.execute(db)
  return rows[0]
}
