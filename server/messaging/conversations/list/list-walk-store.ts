import { setImmediate as nextTurn } from 'node:timers/promises'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { nextLook } from '#server/platform/work/next-look.ts'
import { type ShownRow, selectShown } from '../rows/list-row-store.ts'
import {
  allConditions,
  archiveStateOfList,
  conditionsOf,
  filteredTags,
  isActive,
  type ListFilter,
} from './list-filter-store.ts'

/** Rows read in one event loop turn: about ten milliseconds. */
const maxPerTurn = 2_000
/** Enough for a page when many rows match. */
const firstLook = 200
/** Rows of the list read before a tag is counted: a frequent tag fills a page from these. */
const maxBeforeCount = 400
/** A tag with fewer contacts is searched from the tag. With more, the list is searched first. */
const fewTagged = 1_000
/** Rows of the list read before searching from the tag. */
const maxBeforeTag = 4_000
/** With more contacts than this, continuing in the list is cheaper. */
const manyTagged = 20_000

interface Range {
  readonly limit: number
  readonly offset: number
}

interface WalkPlace {
  readonly id: string
  readonly at: string | null
}

interface Slice {
  readonly count: number
  /** Starts after this row. */
  readonly after: WalkPlace | undefined
}

const orderOf = ({ closing, isWaiting }: ListFilter) => {
  if (closing) return { column: 'window_closes_at', direction: 'asc' } as const
  if (isWaiting) return { column: 'waiting_since', direction: 'asc' } as const
  return { column: 'last_activity_at', direction: 'desc' } as const
}

/** The next conversations in index order. */
const slice = (db: Db, { orgId }: Viewer, filter: ListFilter, { count, after }: Slice) => {
  const { way } = conditionsOf(filter)
  const { column, direction } = orderOf(filter)
  let select = db
    .selectFrom('conversation')
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    .where('archived', '=', archiveStateOfList(filter))
  const active = isActive(filter)
  if (active) select = select.where(active)
  if (way) select = select.where(way)
  if (after)
    select = select.where(eb =>
      eb(eb.refTuple(column, 'id'), direction === 'asc' ? '>' : '<', eb.tuple(after.at as string, after.id)),
    )
  return select.orderBy(column, direction).orderBy('id', direction).limit(count)
}

const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(row => row.id)

/** Ids of the next conversations that meet all conditions. */
async function findWanted(db: Db, viewer: Viewer, filter: ListFilter, range: Slice): Promise<string[]> {
  const { way, rest } = conditionsOf(filter)
  const { column, direction } = orderOf(filter)
  const conditions = viewer.scope.kind === 'all' ? rest : [...rest, seen(viewer.scope)]
  const next = slice(db, viewer, filter, range)
  if (!conditions.length) return idsIn(await next.select('id').execute())
  // Tags alone are answered by the index without reading rows.
  const isByTags = !way && conditions.length === filteredTags(filter).length
  const looked = next
    .select(['id', 'contact_id'])
    .$if(!isByTags, all =>
      all.select([
        'connection_id',
        'assignee_id',
        'team_id',
        'unread',
        'control',
        'last_message_status',
        'waiting_since',
      ]),
    )
    .select(`${column} as at`)
  const wanted = db
    .selectFrom(looked.as('conversation'))
    .select('conversation.id')
    .where(allConditions(conditions))
    .orderBy('conversation.at', direction)
    .orderBy('conversation.id', direction)
  return idsIn(await wanted.execute())
}

/** The last row of a slice. Undefined: fewer rows are left. */
const endOfSlice = (db: Db, viewer: Viewer, filter: ListFilter, next: Slice): Promise<WalkPlace | undefined> =>
  slice(db, viewer, filter, next)
    .select(['id', `${orderOf(filter).column} as at`])
    .limit(1)
    .offset(next.count - 1)
    .executeTakeFirst()

/**
 * Ids of a page by reading the list in slices, with pauses for other work. Undefined: the page is not full after the
 * given number of rows.
 */
async function walk(
  db: Db,
  viewer: Viewer,
  filter: ListFilter,
  { limit, offset }: Range,
  maxLookedAt = Number.POSITIVE_INFINITY,
): Promise<string[] | undefined> {
  const isWhole = viewer.scope.kind === 'all' && !conditionsOf(filter).rest.length
  const wanted = offset + limit
  const ids: string[] = []
  let after: WalkPlace | undefined
  for (let lookedAt = 0, count = isWhole ? wanted : firstLook; ; ) {
    const next = { count, after }
    ids.push(...(await findWanted(db, viewer, filter, next)))
    if (isWhole || ids.length >= wanted) break
    after = await endOfSlice(db, viewer, filter, next)
    if (!after) break
    lookedAt += count
    if (lookedAt >= maxLookedAt) return undefined
    count = Math.min(nextLook({ found: ids.length, wanted, looked: lookedAt, least: firstLook / 2 }), maxPerTurn)
    await nextTurn()
  }
  return ids.slice(offset, wanted)
}

/** The tag with the fewest contacts, if at most `most`. Undefined: all have more. */
async function findRareTag(
  db: Db,
  orgId: string,
  tags: readonly string[],
  most: number,
): Promise<{ readonly id: string; readonly contacts: number } | undefined> {
  let rarest: { readonly id: string; readonly contacts: number } | undefined
  for (const id of tags) {
    const row = await db
      .selectFrom(
        db
          .selectFrom('contact_tag')
          .select('contact_id')
          .where('org_id', '=', orgId)
          .where('tag_id', '=', id)
          .limit(most + 1)
          .as('tagged'),
      )
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const contacts = Number(row.count)
    if (contacts <= (rarest?.contacts ?? most)) rarest = { id, contacts }
  }
  return rarest
}

const contactsPerTurn = 1_000

/** Ids of a page, starting from the contacts with a tag. Their conversations are read in slices and sorted here. */
async function gather(db: Db, { orgId, scope }: Viewer, filter: ListFilter, tag: string, { limit, offset }: Range) {
  const { way, rest } = conditionsOf({ ...filter, tags: filteredTags(filter).filter(id => id !== tag) })
  const { column, direction } = orderOf(filter)
  const found: { id: string; at: string }[] = []
  for (let after = ''; ; ) {
    const contacts = await db
      .selectFrom('contact_tag')
      .select('contact_id')
      .where('org_id', '=', orgId)
      .where('tag_id', '=', tag)
      .where('contact_id', '>', after)
      .orderBy('contact_id')
      .limit(contactsPerTurn)
      .execute()
    const ids = contacts.map(row => row.contact_id)
    if (!ids.length) break
    const rows = await db
      .selectFrom('conversation')
      .select(['conversation.id', `conversation.${column} as at`])
      .where('conversation.contact_id', 'in', ids)
      .where(belongsTo('conversation.org_id', orgId))
      .where('conversation.kind', '=', listedKind(orgId))
      .where('conversation.archived', '=', archiveStateOfList(filter))
      .where(allConditions([isActive(filter), way, ...rest].filter(one => one !== undefined)))
      .where(seen(scope))
      .execute()
    for (const { id, at } of rows) found.push({ id, at: at ?? '' })
    after = ids.at(-1) ?? ''
    if (ids.length < contactsPerTurn) break
    await nextTurn()
  }
  const sign = direction === 'asc' ? 1 : -1
  found.sort((a, b) => sign * (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
  return found.slice(offset, offset + limit).map(row => row.id)
}

/** Rows with all columns that one turn of the event loop reads, after a turn that found their ids. */
const rowsPerTurn = 1_000

/** Rows of these conversations in this order. Those that the viewer does not see are absent. */
export async function listRowsOf(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ShownRow[]> {
  const byId = new Map<string, ShownRow>()
  for (let from = 0; from < ids.length; from += rowsPerTurn) {
    if (ids.length > rowsPerTurn) await nextTurn()
    const rows = await selectShown(db)
      .where(belongsTo('conversation.org_id', viewer.orgId))
      .where('conversation.id', 'in', ids.slice(from, from + rowsPerTurn))
      .where(seen(viewer.scope))
      .execute()
    for (const row of rows) byId.set(row.id, row)
  }
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Ids of a page. If the beginning of the list does not fill it, tags are counted to decide where to start. */
async function idsOfPage(db: Db, viewer: Viewer, filter: ListFilter, range: Range): Promise<string[]> {
  const tags = filteredTags(filter)
  if (tags.length && range.offset + range.limit <= firstLook) {
    const near = await walk(db, viewer, filter, range, maxBeforeCount)
    if (near) return near
  }
  const rareBy = (most: number) => findRareTag(db, viewer.orgId, tags, most)
  const few = await rareBy(fewTagged)
  if (few) return gather(db, viewer, filter, few.id, range)
  const ids = await walk(db, viewer, filter, range, tags.length ? maxBeforeTag : undefined)
  if (ids) return ids
  const some = await rareBy(manyTagged)
  if (some) return gather(db, viewer, filter, some.id, range)
  return (await walk(db, viewer, filter, range)) ?? []
}

/**
 * A page of the filtered list, latest activity first, or by closing time of windows. Rare conditions are read from
 * their own index; the others are checked per row.
 */
export async function listNarrowed(db: Db, viewer: Viewer, filter: ListFilter, range: Range): Promise<ShownRow[]> {
  return listRowsOf(db, viewer, await idsOfPage(db, viewer, filter, range))
}
