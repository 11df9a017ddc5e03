import { type AliasableExpression, sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ListPart, ListPartCount } from '#shared/inbox/conversations.ts'
import {
  allConditions,
  archiveStateOfList,
  conditionsOf,
  filteredTags,
  isActive,
  type ListFilter,
} from './list-filter-store.ts'

/** Rows read to count a list with further conditions: one or two milliseconds. */
const maxLookedAt = 500

interface Counted {
  /** Place of its filter in what was asked. */
  readonly place: number
  readonly filter: ListFilter
  readonly most: number
}

/** Reads the beginning of a list by its index and counts the rows that match. */
const countByList = (db: Db, { orgId, scope }: Viewer, { place, filter, most }: Counted) => {
  const { way, rest } = conditionsOf(filter)
  const conditions = scope.kind === 'all' ? rest : [...rest, seen(scope)]
  const isWhole = !conditions.length
  let inner = db
    .selectFrom('conversation')
    .select(['id', 'contact_id', 'connection_id', 'assignee_id', 'team_id'])
    // Conditions beside the one that selects the index.
    .$if(!isWhole, all => all.select(['unread', 'control', 'last_message_status', 'waiting_since']))
    .where('org_id', '=', orgId)
    .where('kind', '=', listedKind(orgId))
    // A literal, so that the partial indexes of the parts are used.
    .where('archived', '=', sql.lit(archiveStateOfList(filter)))
  const active = isActive(filter)
  if (active) inner = inner.where(active)
  if (way) inner = inner.where(way)
  return db
    .selectFrom(inner.limit(isWhole ? most + 1 : maxLookedAt).as('conversation'))
    .select([
      sql.lit(place).as('place'),
      sql.lit(isWhole ? most + 1 : maxLookedAt).as('bound'),
      sql<number>`count(*)`.as('looked_at'),
      sql<number>`coalesce(sum(case when ${allConditions(conditions)} then 1 else 0 end), 0)`.as('wanted'),
    ])
}

/**
 * Reads the contacts of a tag, or which promised first responses are overdue, and counts their conversations that match.
 * A long list may have few of either.
 */
const countByFew = (db: Db, { orgId, scope }: Viewer, { place, filter }: Counted, tagId?: string) => {
  const tagged = db.selectFrom('contact_tag').select('contact_id as id').where('org_id', '=', orgId)
  const due = db.selectFrom('answer_due').select('conversation_id as id').where('org_id', '=', orgId)
  const found: AliasableExpression<{ id: string }> =
    tagId === undefined
      ? due.where('due_at', '<=', filter.overdueAt ?? '').limit(maxLookedAt)
      : tagged.where('tag_id', '=', tagId).limit(maxLookedAt)
  const others =
    tagId === undefined
      ? { ...filter, overdueAt: undefined }
      : { ...filter, tags: filteredTags(filter).filter(id => id !== tagId) }
  const { way, rest } = conditionsOf(others)
  return db
    .selectFrom(found.as('found'))
    .innerJoin('conversation', tagId === undefined ? 'conversation.id' : 'conversation.contact_id', 'found.id')
    .where(belongsTo('conversation.org_id', orgId))
    .where('conversation.kind', '=', listedKind(orgId))
    .where('conversation.archived', '=', sql.lit(archiveStateOfList(filter)))
    .where(allConditions([isActive(filter), way, ...rest].filter(one => one !== undefined)))
    .where(seen(scope))
    .select(eb => [
      sql.lit(place).as('place'),
      sql.lit(maxLookedAt).as('bound'),
      sql<number>`(${db.selectFrom(found.as('looked')).select(eb.fn.countAll().as('count'))})`.as('looked_at'),
      sql<number>`count(*)`.as('wanted'),
    ])
}

/** Counts the conversations of each list that the viewer sees, up to `most` each, in one statement. */
export async function countLists(
  db: Db,
  viewer: Viewer,
  filters: readonly ListFilter[],
  most: number,
): Promise<ListPartCount[]> {
  const [first, ...others] = filters.flatMap((filter, place) => {
    const [tag] = filteredTags(filter)
    const counted = { place, filter, most }
    const isByDue = filter.overdueAt !== undefined && !filter.isSnoozed
    return [
      isByDue ? countByFew(db, viewer, counted) : countByList(db, viewer, counted),
      ...(tag === undefined ? [] : [countByFew(db, viewer, counted, tag)]),
    ]
  })
  const rows = first ? await others.reduce((all, one) => all.unionAll(one), first).execute() : []
  const counts: ListPartCount[] = filters.map(() => ({ count: 0, more: true }))
  for (const { place, wanted, looked_at, bound } of rows) {
    const before = counts[place] as ListPartCount
    const more = Number(wanted) > most || Number(looked_at) >= bound
    const count = Math.min(Number(wanted), most)
    // Of two ways to count, one that came to its end is exact; otherwise there are at least so many.
    if (!before.more) continue
    counts[place] = { count: more ? Math.max(before.count, count) : count, more }
  }
  return counts
}

/** Counts the conversations of each part of the list that the viewer sees, up to `most` each. */
export async function countListParts<Part extends ListPart>(
  db: Db,
  viewer: Viewer,
  parts: Readonly<Record<Part, ListFilter>>,
  most: number,
): Promise<Record<Part, ListPartCount>> {
  const names = Object.keys(parts) as Part[]
  const counts = await countLists(db, viewer, Object.values(parts), most)
  return Object.fromEntries(names.map((name, i) => [name, counts[i]])) as Record<Part, ListPartCount>
}
