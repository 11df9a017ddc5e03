import { type Expression, type SqlBool, sql } from 'kysely'
import { seenOr } from '#server/identity/visibility/condition.ts'
import type { Scope, Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { Words } from '#server/platform/events/notify.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { effectiveRole, type OrgRole } from '#shared/kernel/permissions.ts'
import type { NotificationTable } from './table.ts'

/** The owner of notifications. */
export interface Owner {
  readonly orgId: string
  readonly userId: string
}

/** Reads their own notifications. Those about conversations they no longer see are left out. */
export type Reader = Owner & Viewer

const shownTo = (scope: Scope) =>
  seenOr(scope, 'notification.conversation_id', sql<boolean>`notification.redirect is null`)

export interface NewNotification {
  readonly id: string
  readonly userId: string
  readonly words: Words
  readonly redirect: string | null
  readonly conversationId: string | null
  readonly count: number
  readonly createdAt: string
}

/** A notification as stored. Its language is chosen when it is shown. */
export interface StoredNotification extends Pick<NewNotification, 'id' | 'redirect' | 'conversationId' | 'createdAt'> {
  readonly words: Words | null
  /** The title of a notification without `words`. */
  readonly oldTitle: string
  readonly oldMessage: string
  readonly viewed: boolean
}

const columns = [
  'id',
  'old_title',
  'old_message',
  'words',
  'redirect',
  'conversation_id',
  'created_at',
  'viewed_at',
  'place',
] as const

const toNotification = (row: Pick<NotificationTable, (typeof columns)[number]>): StoredNotification => ({
  id: row.id,
  oldTitle: row.old_title ?? '',
  oldMessage: row.old_message ?? '',
  words: row.words === null ? null : JSON.parse(row.words),
  viewed: row.viewed_at !== null,
  createdAt: row.created_at,
  redirect: row.redirect,
  conversationId: row.conversation_id,
})

const rowsPerInsert = 500

export async function insertNotifications(db: OrgDb, orgId: string, news: readonly NewNotification[]): Promise<void> {
  for (let from = 0; from < news.length; from += rowsPerInsert)
    await db
      .insertInto('notification')
      .values(
        news.slice(from, from + rowsPerInsert).map(one => ({
          id: one.id,
          org_id: orgId,
          user_id: one.userId,
          words: JSON.stringify(one.words),
          redirect: one.redirect,
          conversation_id: one.conversationId,
          count: one.count,
          place: one.id,
          created_at: one.createdAt,
          viewed_at: null,
        })),
      )
      .execute()
}

/** The position of an id in the list. For a deleted one, its original position. */
const placeOf = (db: Db, orgId: string, userId: string, id: string) =>
  sql<string>`coalesce(${db
    .selectFrom('notification as at')
    .select('at.place')
    .where('at.id', '=', id)
    .where('at.org_id', '=', orgId)
    .where('at.user_id', '=', userId)}, ${id})`

/** A person's newest notifications, newest first. `before`: only after this id, which may be deleted. */
export async function listNotifications(
  db: Db,
  { orgId, userId, scope }: Reader,
  { before, limit }: { before?: string; limit: number },
): Promise<StoredNotification[]> {
  const rows = await db
    .selectFrom('notification')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where(shownTo(scope))
    .$if(before !== undefined, query => query.where('place', '<', placeOf(db, orgId, userId, before as string)))
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toNotification)
}

interface Counted {
  readonly [name: string]: unknown
  readonly orgId: string
  readonly userId: string
  readonly limit: number
}

const unreadAndAny = (db: Db, { orgId, userId, limit }: Counted, shown: Expression<SqlBool>) => {
  const own = db.selectFrom('notification').where('org_id', '=', orgId).where('user_id', '=', userId).where(shown)
  const unread = own.select(sql.lit(1).as('unread')).where('viewed_at', 'is', null).limit(limit)
  const any = own.select(sql.lit(0).as('unread')).limit(1)
  return db
    .selectFrom(unread.as('those_unread'))
    .select('unread')
    .unionAll(db.selectFrom(any.as('any_of_them')).select('unread'))
}

/** Counts for people who see all conversations, which is nearly everybody. */
const allUnreadAndAny = hotQuery<Counted, { unread: number }>((db, marks) => unreadAndAny(db, marks, sql`true`))

/**
 * Counts unread notifications up to `limit`, and tells whether there are any at all. One statement, because every page
 * asks for both.
 */
export async function countUnread(
  db: Db,
  { orgId, userId, scope }: Reader,
  limit: number,
): Promise<{ unread: number; any: boolean }> {
  const counted = { orgId, userId, limit }
  const rows =
    scope.kind === 'all'
      ? await allUnreadAndAny(db, counted)
      : await unreadAndAny(db, counted, shownTo(scope)).execute()
  return { unread: rows.filter(row => Number(row.unread) === 1).length, any: rows.length > 0 }
}

export async function findNotification(
  db: Db,
  { orgId, userId, scope }: Reader,
  id: string,
): Promise<StoredNotification | undefined> {
  const row = await db
    .selectFrom('notification')
    .select(columns)
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where(shownTo(scope))
    .executeTakeFirst()
  return row && toNotification(row)
}

/** Only the first time counts. True: it was unread. */
export async function markNotification(
  db: OrgDb,
  { orgId, userId, scope }: Reader,
  id: string,
  at: string,
): Promise<boolean> {
  const result = await db
    .updateTable('notification')
    .set({ viewed_at: at })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('viewed_at', 'is', null)
    .where(shownTo(scope))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Marks unread ones up to an id, or with a link. Returns the newest of them. Undefined: none was unread. */
export async function markNotifications(
  db: OrgDb,
  { orgId, userId, scope }: Reader,
  which: { upTo: string } | { redirect: string },
  at: string,
): Promise<StoredNotification | undefined> {
  const newest = await db
    .selectFrom('notification')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('viewed_at', 'is', null)
    .where(shownTo(scope))
    .where(eb =>
      'upTo' in which ? eb('place', '<=', placeOf(db, orgId, userId, which.upTo)) : eb('redirect', '=', which.redirect),
    )
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return undefined
  await db
    .updateTable('notification')
    .set({ viewed_at: at })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('viewed_at', 'is', null)
    .where(shownTo(scope))
    .where('place', '<=', newest.place)
    .$if('redirect' in which, query => query.where('redirect', '=', newest.redirect))
    .execute()
  return toNotification({ ...newest, viewed_at: at })
}

/** Members whose strongest role is one of these. */
export async function membersWithRole(db: Db, orgId: string, roles: readonly OrgRole[]): Promise<string[]> {
  const rows = await db.selectFrom('member').select(['userId', 'role']).where('organizationId', '=', orgId).execute()
  return rows.filter(row => roles.includes(effectiveRole(row.role))).map(row => row.userId)
}

const deleteByIds = async (db: Db, ids: readonly string[]): Promise<number> => {
  if (!ids.length) return 0
  const result = await db.deleteFrom('notification').where('id', 'in', ids).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes up to `limit` from before `at`, of all organizations, because the age is the installation's. Returns how
 * many.
 */
export async function deleteNotificationsBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = await db.selectFrom('notification').select('id').where('created_at', '<', at).limit(limit).execute()
  return deleteByIds(
    db,
    old.map(row => row.id),
  )
}

/** People with notifications, by id, after one of them. For pruning. */
export async function listOwners(db: Db, after: Owner | undefined, limit: number): Promise<Owner[]> {
  const rows = await db
    .selectFrom('member')
    .select(['organizationId', 'userId'])
    .$if(after !== undefined, query =>
      query.where(eb => {
        const { orgId, userId } = after as Owner
        return eb.or([
          eb('organizationId', '>', orgId),
          eb.and([eb('organizationId', '=', orgId), eb('userId', '>', userId)]),
        ])
      }),
    )
    .orderBy('organizationId')
    .orderBy('userId')
    .limit(limit)
    .execute()
  return rows.map(row => ({ orgId: row.organizationId, userId: row.userId }))
}

/** Deletes up to `limit` of a person's beyond the newest `kept`. Returns how many. */
export async function trimNotifications(
  db: Db,
  orgId: string,
  userId: string,
  { kept, limit }: { kept: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('notification')
    .select('id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .orderBy('place', 'desc')
    .offset(kept)
    .limit(limit)
    .execute()
  return deleteByIds(
    db,
    rows.map(row => row.id),
  )
}
