import { setImmediate as nextTurn } from 'node:timers/promises'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { nextLook } from '#server/platform/work/next-look.ts'
import { allOf, conditionsOf, isActive, type ListFilter, tagsOf } from './list-filter-store.ts'
import { type ShownRow, selectShown } from './list-row-store.ts'

/** Looked at in one turn of the event loop: some ten milliseconds at most, however few of them are wanted. */
const mostPerTurn = 2_000
/** Enough for a page where much is wanted. */
const firstLook = 200
/** Looked at in the list before anybody asks how many have a tag: what many have fills a page from there. */
const mostBeforeCount = 400
/** A tag that fewer have is where the looking begins; one that more have is looked for in the list first. */
const fewTagged = 1_000
/** Looked at in the list before the looking begins anew with the tag, */
const mostBeforeTag = 4_000
/** unless more have it: then it is cheaper to go on. */
const manyTagged = 20_000

interface Range {
  readonly limit: number
  readonly offset: number
}

const flagOf = ({ archived }: ListFilter): number => (archived ? 1 : 0)

interface WalkPlace {
  readonly id: string
  readonly at: string | null
}

interface Slice {
  readonly count: number
  /** From behind it. */
  readonly after: WalkPlace | undefined
}

const orderOf = ({ closing }: ListFilter) =>
  closing
    ? ({ column: 'window_closes_at', direction: 'asc' } as const)
    : ({ column: 'last_activity_at', direction: 'desc' } as const)

/** The next conversations on the way into the list. */
const slice = (db: Db, { orgId }: Viewer, filter: ListFilter, { count, after }: Slice) => {
  const { way } = conditionsOf(filter)
  const { column, direction } = orderOf(filter)
  let select = db
    .selectFrom('conversation')
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    .where('archived', '=', flagOf(filter))
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

/** Ids of those of the next conversations of whom the rest is so, too. */
async function findWanted(db: Db, viewer: Viewer, filter: ListFilter, range: Slice): Promise<string[]> {
  const { way, rest } = conditionsOf(filter)
  const { column, direction } = orderOf(filter)
  const conditions = viewer.scope.kind === 'all' ? rest : [...rest, seen(viewer.scope)]
  const next = slice(db, viewer, filter, range)
  if (!conditions.length) return idsIn(await next.select('id').execute())
  // Of tags alone the index says all there is to know; no row is read.
  const isByTags = !way && conditions.length === tagsOf(filter).length
  const looked = next
    .select(['id', 'contact_id'])
    .$if(!isByTags, all =>
      all.select(['connection_id', 'assignee_id', 'team_id', 'unread', 'control', 'last_message_status']),
    )
    .select(`${column} as at`)
  const wanted = db
    .selectFrom(looked.as('conversation'))
    .select('conversation.id')
    .where(allOf(conditions))
    .orderBy('conversation.at', direction)
    .orderBy('conversation.id', direction)
  return idsIn(await wanted.execute())
}

/** The last of the next conversations; undefined: there are not so many. */
const endOfSlice = (db: Db, viewer: Viewer, filter: ListFilter, next: Slice): Promise<WalkPlace | undefined> =>
  slice(db, viewer, filter, next)
    .select(['id', `${orderOf(filter).column} as at`])
    .limit(1)
    .offset(next.count - 1)
    .executeTakeFirst()

/**
 * Ids of a page by walking the list: where little of it is wanted it is looked at in slices, so that others get their
 * turn. Undefined: the page is not full after so many.
 */
async function walk(
  db: Db,
  viewer: Viewer,
  filter: ListFilter,
  { limit, offset }: Range,
  mostLookedAt = Number.POSITIVE_INFINITY,
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
    if (lookedAt >= mostLookedAt) return undefined
    count = Math.min(nextLook({ found: ids.length, wanted, looked: lookedAt, least: firstLook / 2 }), mostPerTurn)
    await nextTurn()
  }
  return ids.slice(offset, wanted)
}

/** The tag that fewest contacts have, `most` at most; undefined: all of them are on more. */
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

/** Ids of a page out of the contacts that have a tag, whose conversations are read in slices and put in order here. */
async function gather(db: Db, { orgId, scope }: Viewer, filter: ListFilter, tag: string, { limit, offset }: Range) {
  const { way, rest } = conditionsOf({ ...filter, tags: tagsOf(filter).filter(id => id !== tag) })
  const isByWindow = filter.closing !== undefined
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
      .select([
        'conversation.id',
        isByWindow ? 'conversation.window_closes_at as at' : 'conversation.last_activity_at as at',
      ])
      .where('conversation.contact_id', 'in', ids)
      .where(belongsTo('conversation.org_id', orgId))
      .where('conversation.kind', '=', listedKind(orgId))
      .where('conversation.archived', '=', flagOf(filter))
      .where(allOf([isActive(filter), way, ...rest].filter(one => one !== undefined)))
      .where(seen(scope))
      .execute()
    for (const { id, at } of rows) found.push({ id, at: at ?? '' })
    after = ids.at(-1) ?? ''
    if (ids.length < contactsPerTurn) break
    await nextTurn()
  }
  const sign = isByWindow ? 1 : -1
  found.sort((a, b) => sign * (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
  return found.slice(offset, offset + limit).map(row => row.id)
}

/** The rows of these conversations, in this order; those that are gone or not seen any more are left out. */
async function rowsOf(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ShownRow[]> {
  if (!ids.length) return []
  const rows = await selectShown(db)
    .where(belongsTo('conversation.org_id', viewer.orgId))
    .where('conversation.id', 'in', ids)
    .where(seen(viewer.scope))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Ids of a page; tags are counted where the list's beginning does not fill it, as far as it takes to know where to begin. */
async function idsOfPage(db: Db, viewer: Viewer, filter: ListFilter, range: Range): Promise<string[]> {
  const tags = tagsOf(filter)
  if (tags.length && range.offset + range.limit <= firstLook) {
    const near = await walk(db, viewer, filter, range, mostBeforeCount)
    if (near) return near
  }
  const rareBy = (most: number) => findRareTag(db, viewer.orgId, tags, most)
  const few = await rareBy(fewTagged)
  if (few) return gather(db, viewer, filter, few.id, range)
  const ids = await walk(db, viewer, filter, range, tags.length ? mostBeforeTag : undefined)
  if (ids) return ids
  const some = await rareBy(manyTagged)
  if (some) return gather(db, viewer, filter, some.id, range)
  return (await walk(db, viewer, filter, range)) ?? []
}

/**
 * A page of the list, narrowed: latest activity first, or of closing windows what closes first. What few have is read by
 * its own index; the rest is asked of each row on the way.
 */
export async function listNarrowed(db: Db, viewer: Viewer, filter: ListFilter, range: Range): Promise<ShownRow[]> {
  return rowsOf(db, viewer, await idsOfPage(db, viewer, filter, range))
}
