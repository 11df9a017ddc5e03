import type { Words } from '#shared/events/notifications.ts'
import type { Language } from '#shared/language.ts'
import type { PushSubscription } from '#shared/push.ts'
import type { Db } from '../db.ts'

export interface StoredKeys {
  readonly publicKey: string
  /** Sealed. */
  readonly privateKey: string
}

const keyName = 'vapid'

export async function findKeys(db: Db): Promise<StoredKeys | undefined> {
  const row = await db
    .selectFrom('push_key')
    .select(['public_key', 'private_key'])
    .where('id', '=', keyName)
    .executeTakeFirst()
  return row && { publicKey: row.public_key, privateKey: row.private_key }
}

/** Keeps the pair unless there is one already. */
export async function insertKeys(db: Db, keys: StoredKeys, at: string): Promise<void> {
  await db
    .insertInto('push_key')
    .values({ id: keyName, public_key: keys.publicKey, private_key: keys.privateKey, created_at: at })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** Forgets the pair, and with it every browser: they subscribed to this pair and no other. */
export async function deleteKeys(db: Db): Promise<void> {
  await db.deleteFrom('push_subscription').execute()
  await db.deleteFrom('push_key').where('id', '=', keyName).execute()
}

export interface Subscriber {
  readonly userId: string
  readonly sessionId: string
  readonly language: Language
}

/** Keeps a browser for whoever is signed in there now. True: something changed. */
export async function saveSubscription(
  db: Db,
  { userId, sessionId, language }: Subscriber,
  { endpoint, keys }: PushSubscription,
  { id, at }: { id: string; at: string },
): Promise<boolean> {
  const values = { user_id: userId, session_id: sessionId, p256dh: keys.p256dh, auth: keys.auth, language }
  const known = await db
    .selectFrom('push_subscription')
    .select(['user_id', 'session_id', 'p256dh', 'auth', 'language'])
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  if (known && Object.entries(values).every(([name, value]) => known[name as keyof typeof known] === value))
    return false
  // Another person's messages must not wait for this one.
  if (known && known.user_id !== userId)
    await db.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute()
  await db
    .insertInto('push_subscription')
    .values({ id, endpoint, created_at: at, ...values })
    .onConflict(conflict => conflict.column('endpoint').doUpdateSet(values))
    .execute()
  return true
}

/** Deletes a person's oldest browsers beyond the newest `kept`. */
export async function trimSubscriptions(db: Db, userId: string, kept: number): Promise<void> {
  const rows = await db
    .selectFrom('push_subscription')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(100)
    .execute()
  if (rows.length)
    await db
      .deleteFrom('push_subscription')
      .where(
        'id',
        'in',
        rows.map(row => row.id),
      )
      .execute()
}

export async function deleteSubscription(
  db: Db,
  where: { userId: string; endpoint: string } | { id: string },
): Promise<void> {
  const query = db.deleteFrom('push_subscription')
  await ('id' in where
    ? query.where('id', '=', where.id)
    : query.where('user_id', '=', where.userId).where('endpoint', '=', where.endpoint)
  ).execute()
}

const rowsPerQuery = 500

/** What of these notifications has still to be sent, as `notification subscription`. */
const waitingFor = async (db: Db, orgId: string, news: readonly { id: string }[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('push_delivery')
    .select(['notification_id', 'subscription_id'])
    .where('org_id', '=', orgId)
    .where(
      'notification_id',
      'in',
      news.map(one => one.id),
    )
    .execute()
  return new Set(rows.map(row => `${row.notification_id} ${row.subscription_id}`))
}

/** One row per notification and browser of its person, unless one is waiting already. Answers how many. */
export async function insertDeliveries(
  db: Db,
  orgId: string,
  news: readonly { id: string; userId: string }[],
  { at, dueAt }: { at: string; dueAt: string },
): Promise<number> {
  let count = 0
  for (let from = 0; from < news.length; from += rowsPerQuery) {
    const part = news.slice(from, from + rowsPerQuery)
    const browsers = await db
      .selectFrom('push_subscription')
      .select(['id', 'user_id'])
      .where(
        'user_id',
        'in',
        part.map(one => one.userId),
      )
      .execute()
    const byUser = new Map(part.map(one => [one.userId, one.id]))
    const waiting = await waitingFor(db, orgId, part)
    const reached = browsers.filter(browser => !waiting.has(`${byUser.get(browser.user_id)} ${browser.id}`))
    for (let row = 0; row < reached.length; row += rowsPerQuery)
      await db
        .insertInto('push_delivery')
        .values(
          reached.slice(row, row + rowsPerQuery).map(browser => ({
            org_id: orgId,
            notification_id: byUser.get(browser.user_id) as string,
            subscription_id: browser.id,
            attempts: 0,
            due_at: dueAt,
            created_at: at,
          })),
        )
        .execute()
    count += reached.length
  }
  return count
}

export interface DueDelivery {
  readonly seq: number
  readonly attempts: number
  readonly createdAt: string
  readonly notificationId: string
  /** Null: one from before words were kept, which says `oldTitle`. */
  readonly words: Words | null
  readonly oldTitle: string
  /** Of the browser. */
  readonly language: Language
  readonly orgSlug: string
  readonly subscriptionId: string
  readonly subscription: PushSubscription
  /** Still unread, still a member of the organization, and still signed in where the browser said yes. */
  readonly isWanted: boolean
}

/** The next ones, oldest first. */
export async function listDue(db: Db, now: string, limit: number): Promise<DueDelivery[]> {
  const rows = await db
    .selectFrom('push_delivery as d')
    .innerJoin('notification as n', 'n.id', 'd.notification_id')
    .innerJoin('push_subscription as s', 's.id', 'd.subscription_id')
    .innerJoin('organization as o', 'o.id', 'd.org_id')
    .innerJoin('session', 'session.id', 's.session_id')
    .leftJoin('member as m', join =>
      join.onRef('m.organizationId', '=', 'd.org_id').onRef('m.userId', '=', 's.user_id'),
    )
    .select([
      'd.seq',
      'd.attempts',
      'd.created_at',
      'd.notification_id',
      'n.words',
      'n.old_title',
      'n.viewed_at',
      'o.slug',
      's.id as subscription_id',
      's.endpoint',
      's.p256dh',
      's.auth',
      's.language',
      'session.expiresAt',
      'm.id as member_id',
    ])
    .where('d.due_at', '<=', now)
    .orderBy('d.due_at')
    .orderBy('d.seq')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    seq: row.seq,
    attempts: row.attempts,
    createdAt: row.created_at,
    notificationId: row.notification_id,
    words: row.words === null ? null : (JSON.parse(row.words) as Words),
    oldTitle: row.old_title ?? '',
    language: row.language as Language,
    orgSlug: row.slug,
    subscriptionId: row.subscription_id,
    subscription: { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
    isWanted: row.viewed_at === null && row.member_id !== null && row.expiresAt > now,
  }))
}

/** When the next one is due; undefined: nothing waits. */
export async function nextDueAt(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('push_delivery')
    .select('due_at')
    .orderBy('due_at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** Counts a try and puts the rows off until `dueAt`: whoever dies meanwhile leaves them to be tried again then. */
export async function takeDeliveries(db: Db, seqs: readonly number[], dueAt: string): Promise<void> {
  if (!seqs.length) return
  await db
    .updateTable('push_delivery')
    .set(eb => ({ attempts: eb('attempts', '+', 1), due_at: dueAt }))
    .where('seq', 'in', seqs)
    .execute()
}

export async function putOffDelivery(db: Db, seq: number, dueAt: string): Promise<void> {
  await db.updateTable('push_delivery').set({ due_at: dueAt }).where('seq', '=', seq).execute()
}

export async function deleteDeliveries(db: Db, seqs: readonly number[]): Promise<void> {
  if (seqs.length) await db.deleteFrom('push_delivery').where('seq', 'in', seqs).execute()
}
