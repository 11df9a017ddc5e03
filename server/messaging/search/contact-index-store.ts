import { type RawBuilder, sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import { belongsTo, bulkWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { contactsUnder, hasPart, numberRows } from '#server/platform/db/word-index.ts'
import { isFoundByTerms, type Needle, ownTerm, partMeant, termsMeant } from './contact-terms.ts'

interface WordsRow {
  readonly contactId: string
  readonly seq: number
  readonly words: string
  readonly numbers: string
  readonly terms: string
}

export const insertWords = bulkWrite<WordsRow, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db.insertInto('contact_words').values(
      rows.map(({ contactId, seq, words, numbers, terms }) => ({
        contact_id: contactId,
        seq,
        org_id: orgId,
        words,
        numbers,
        terms,
      })),
    ) as never,
)

export const deleteWords = bulkWrite<{ contactId: string }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .deleteFrom('contact_words')
      .where(
        'contact_id',
        'in',
        rows.map(row => row.contactId),
      )
      .where(belongsTo('contact_words.org_id', orgId)) as never,
)

/** The index numbers (`seq`) of these contacts. Contacts that are not in the index are absent. */
export async function findIndexNumbers(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (!contactIds.length) return new Map()
  const rows = await db
    .selectFrom('contact_words')
    .select(['contact_id', 'seq'])
    .where('contact_id', 'in', contactIds)
    .where(belongsTo('contact_words.org_id', orgId))
    .execute()
  return new Map(rows.map(row => [row.contact_id, row.seq]))
}

/** The number after a contact's, even if the contact was deleted: older contacts have lower ones. */
export async function numberBehind(db: Db, contactId: string): Promise<number> {
  const row = await db
    .selectFrom('contact_words')
    .select(['contact_id', 'seq'])
    .where('contact_id', '<=', contactId)
    .orderBy('contact_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return 0
  return row.contact_id === contactId ? row.seq : row.seq + 1
}

/** The largest number in the index. */
export async function lastNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom('contact_words')
    .select(eb => eb.fn.max<number | null>('seq').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

const matchesAll = (db: Db, needles: readonly Needle[]): RawBuilder<boolean> => {
  const says = (start: string) => {
    const { column, text } = partMeant(start)
    return hasPart(db, `contact_words.${column}`, text)
  }
  const conditions = needles.map(needle => sql<boolean>`(${sql.join(needle.map(says), sql` or `)})`)
  return conditions.length ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`
}

const hasAll = (db: Db, needles: readonly Needle[], contact: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from contact_words
    where contact_words.contact_id = ${sql.ref(contact)} and ${matchesAll(db, needles)})`

/** Contacts that match the terms, and the needles for which terms are not precise enough. */
const searchTermsOf = (db: Db, orgKey: number, needles: readonly Needle[]) => ({
  under: contactsUnder(
    db,
    needles.map(needle => needle.map(start => termsMeant(start).map(term => ownTerm(orgKey, term)))),
  ),
  unchecked: needles.filter(needle => !needle.every(isFoundByTerms)),
})

/** The numbers of at most `most` contacts that match all needles. */
const numbersOf = (db: Db, orgKey: number, needles: readonly Needle[], most: number): RawBuilder<{ seq: number }> => {
  const { under, unchecked } = searchTermsOf(db, orgKey, needles)
  return unchecked.length
    ? sql`select contact_words.seq from ${under} as hit cross join contact_words
        where contact_words.seq = hit.seq and ${matchesAll(db, unchecked)} limit cast(${most} as integer)`
    : sql`select hit.seq from ${under} as hit limit cast(${most} as integer)`
}

/** Finds at most `most` contacts that match all needles. @returns their numbers */
export async function findNumbers(
  db: Db,
  orgKey: number,
  needles: readonly Needle[],
  most: number,
): Promise<readonly number[]> {
  const { rows } = await numbersOf(db, orgKey, needles, most).execute(db)
  return rows.map(row => row.seq)
}

/** The newest contacts that match all needles, with a number below `before`. @returns their ids */
export async function findNewest(
  db: Db,
  orgKey: number,
  needles: readonly Needle[],
  { before, most }: { readonly before: number; readonly most: number },
): Promise<string[]> {
  const { under, unchecked } = searchTermsOf(db, orgKey, needles)
  const { rows } = await sql<{ id: string }>`select contact_words.contact_id as id
    from ${under} as hit cross join contact_words
    where hit.seq < cast(${before} as bigint) and contact_words.seq = hit.seq and ${matchesAll(db, unchecked)}
    order by hit.seq desc limit cast(${most} as integer)`.execute(db)
  return rows.map(row => row.id)
}

/** Counts the contacts that match all needles, up to `most`. */
export async function countNumbers(db: Db, orgKey: number, needles: readonly Needle[], most: number): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from (${numbersOf(db, orgKey, needles, most)}) as counted`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

export interface FoundConversation {
  readonly id: string
  /** Time of the last activity. */
  readonly at: string
}

interface Among {
  /** Undefined: archived or not. */
  readonly archived?: boolean | undefined
  readonly limit: number
}

const isAmong = ({ archived }: Among): RawBuilder<boolean> =>
  archived === undefined
    ? sql<boolean>`true`
    : archived
      ? sql<boolean>`conversation.archived = ${archiveStates.archived}`
      : sql<boolean>`conversation.archived <> ${archiveStates.archived}`

/** Conversations with these contacts, latest activity first. */
export async function findByNumbers(
  db: Db,
  { orgId, scope }: Viewer,
  numbers: readonly number[],
  among: Among,
): Promise<FoundConversation[]> {
  const { rows } = await sql<FoundConversation>`select conversation.id, conversation.last_activity_at as at
    from ${numberRows(db, numbers)} as meant cross join contact_words cross join conversation
    where contact_words.seq = meant.value and conversation.contact_id = contact_words.contact_id
      and ${belongsTo('conversation.org_id', orgId)} and conversation.kind = ${listedKind(orgId)} and ${isAmong(among)}
      and ${seen(scope)}
    order by conversation.last_activity_at desc, conversation.id desc limit cast(${among.limit} as integer)`.execute(db)
  return rows
}

interface Stretch {
  /** The value of `conversation.archived`. */
  readonly archived: number
  /** No conversation that was last active before this time. */
  readonly since?: string | undefined
  readonly count: number
}

/** Conversations, latest activity first. Reads only the index if the viewer sees all of them. */
const stretchOf = (orgId: string, columns: RawBuilder<unknown>, { archived, since, count }: Stretch) =>
  sql`select ${columns} from conversation
    where conversation.org_id = ${orgId} and conversation.kind = ${listedKind(orgId)}
      and conversation.archived = ${archived}
      ${since === undefined ? sql`` : sql`and conversation.last_activity_at >= ${since}`}
    order by conversation.last_activity_at desc, conversation.id desc limit cast(${count} as integer)`

const walked = sql`id, contact_id, last_activity_at`
const walkedByScope = sql`id, org_id, contact_id, assignee_id, team_id, last_activity_at`

/** The first `limit` conversations of a range whose contact matches all needles. */
export async function findInStretch(
  db: Db,
  { orgId, scope }: Viewer,
  needles: readonly Needle[],
  { limit, ...stretch }: Stretch & { readonly limit: number },
): Promise<FoundConversation[]> {
  const columns = scope.kind === 'all' ? walked : walkedByScope
  const { rows } = await sql<FoundConversation>`select conversation.id, conversation.last_activity_at as at
    from (${stretchOf(orgId, columns, stretch)}) as conversation
    where ${hasAll(db, needles, 'conversation.contact_id')} and ${seen(scope)}
    order by conversation.last_activity_at desc, conversation.id desc limit cast(${limit} as integer)`.execute(db)
  return rows
}

/** True if more conversations follow the range. */
export async function hasMoreAfter(db: Db, orgId: string, stretch: Stretch): Promise<boolean> {
  const { rows } = await sql`${stretchOf(orgId, sql`id`, { ...stretch, count: 1 })}
    offset cast(${stretch.count} as integer)`.execute(db)
  return rows.length > 0
}
