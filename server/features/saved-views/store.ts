import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'

export interface StoredView {
  readonly id: string
  readonly authorId: string
  readonly shared: boolean
  readonly name: string
  readonly filter: ViewFilter
}

const selectViews = (db: Db, orgId: string) =>
  db.selectFrom('saved_view').select(['id', 'author_id', 'shared', 'name', 'filter']).where('org_id', '=', orgId)

type Row = Awaited<ReturnType<ReturnType<typeof selectViews>['execute']>>[number]

const viewOf = ({ author_id: authorId, shared, filter, ...rest }: Row): StoredView => ({
  ...rest,
  authorId,
  shared: shared === 1,
  filter: JSON.parse(filter) as ViewFilter,
})

/** Shared views and the author's own, by name, each at most `most`. */
export async function listViews(
  db: Db,
  orgId: string,
  { authorId, most }: { authorId: string; most: number },
): Promise<StoredView[]> {
  const all = selectViews(db, orgId)
  const shared = await all.where('shared', '=', 1).limit(most).execute()
  const own = await all.where('shared', '=', 0).where('author_id', '=', authorId).limit(most).execute()
  return [...shared, ...own].map(viewOf).sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
}

export async function findView(db: Db, orgId: string, id: string): Promise<StoredView | undefined> {
  const row = await selectViews(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && viewOf(row)
}

const rowOf = ({ authorId, shared, filter, ...rest }: StoredView) => ({
  ...rest,
  author_id: authorId,
  shared: shared ? 1 : 0,
  filter: JSON.stringify(filter),
})

export const insertView = (db: OrgDb, orgId: string, view: StoredView): Promise<unknown> =>
  db
    .insertInto('saved_view')
    .values({ org_id: orgId, ...rowOf(view) })
    .execute()

export const saveView = (db: OrgDb, orgId: string, view: StoredView): Promise<unknown> =>
  db.updateTable('saved_view').set(rowOf(view)).where('org_id', '=', orgId).where('id', '=', view.id).execute()

export const removeView = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('saved_view').where('org_id', '=', orgId).where('id', '=', id).execute()

/** Lists at most `most` views of all authors that filter by a tag. */
export async function listViewsWithTag(db: Db, orgId: string, tagId: string, most: number): Promise<StoredView[]> {
  const rows = await selectViews(db, orgId)
    .where('filter', 'like', `%${JSON.stringify(tagId)}%`)
    .limit(most)
    .execute()
  return rows.map(viewOf)
}

/** An author's private views. */
export async function removeOwnViews(db: OrgDb, orgId: string, authorId: string): Promise<void> {
  await db
    .deleteFrom('saved_view')
    .where('org_id', '=', orgId)
    .where('shared', '=', 0)
    .where('author_id', '=', authorId)
    .execute()
}
