import { isOpenedBySession, meetsSsoDemand } from '#server/identity/auth/sso/demand-condition.ts'
import { lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Words } from '#server/platform/events/notify.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { PushSubscription } from '#shared/notifications/push.ts'

interface StoredKeys {
  readonly publicKey: string
  /** Encrypted. */
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

/** Stores the pair unless there is one. */
export async function insertKeys(db: Db, keys: StoredKeys, at: string): Promise<void> {
  await db
    .insertInto('push_key')
    .values({ id: keyName, public_key: keys.publicKey, private_key: keys.privateKey, created_at: at })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** Deletes the pair and all browsers, which subscribed to this pair. */
export async function deleteKeys(db: Db): Promise<void> {
  await db.deleteFrom('push_subscription').execute()
  await db.deleteFrom('push_key').where('id', '=', keyName).execute()
}

interface Subscriber {
  readonly userId: string
  readonly sessionId: string
  readonly language: Language
}

/** Stores a browser for the person signed in there. True: something changed. */
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
  // Queued messages of another person must not reach this one.
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

/** The browsers of these people, few for each (see `trimSubscriptions`). */
export const listBrowsers = lookupQuery<object, { id: string; userId: string }>(
  (db, userIds) =>
    db
      .selectFrom('push_subscription')
      .select(['id', 'user_id as userId'])
      .where('user_id', 'in', userIds)
      .orderBy('id') as never,
)

export interface Delivery {
  /** Null: stored before this column existed; `oldTitle` is its text. */
  readonly words: Words | null
  readonly oldTitle: string
  /** The language of the browser. */
  readonly language: Language
  readonly orgSlug: string
  readonly subscription: PushSubscription
  /** Checked again before sending. */
  readonly role: string
  readonly userId: string
  readonly conversationId: string | null
  /** Still unread, still a member, and still signed in with the subscribed session. */
  readonly isWanted: boolean
}

interface DeliveryKey {
  readonly notificationId: string
  readonly subscriptionId: string
}

/** Loads what to send in one statement. Undefined if the notification, browser or session was deleted. */
export async function findDeliveries(
  db: Db,
  keys: readonly DeliveryKey[],
  now: string,
): Promise<(orgId: string, key: DeliveryKey) => Delivery | undefined> {
  const rows = await db
    .selectFrom('notification as n')
    .innerJoin('organization as o', 'o.id', 'n.org_id')
    .innerJoin('push_subscription as s', 's.user_id', 'n.user_id')
    .innerJoin('session', 'session.id', 's.session_id')
    .leftJoin('member as m', join =>
      join.onRef('m.organizationId', '=', 'n.org_id').onRef('m.userId', '=', 's.user_id'),
    )
    .leftJoin('org_settings', 'org_settings.org_id', 'n.org_id')
    .leftJoin('second_factor', 'second_factor.user_id', 's.user_id')
    .select(eb =>
      eb
        .and([
          isOpenedBySession(eb, { orgId: 'n.org_id', boundOrgId: 'session.boundOrgId' }),
          meetsSsoDemand(eb, {
            orgId: 'n.org_id',
            userId: 's.user_id',
            role: 'm.role',
            providerId: 'session.ssoProviderId',
          }),
        ])
        .as('meets_sso'),
    )
    .select([
      'org_settings.second_factor_required',
      'second_factor.created_at as second_factor_since',
      'n.id as notification_id',
      'n.org_id',
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
      'm.role',
      'n.user_id',
      'n.conversation_id',
    ])
    .where('n.id', 'in', [...new Set(keys.map(key => key.notificationId))])
    .where('s.id', 'in', [...new Set(keys.map(key => key.subscriptionId))])
    .execute()
  const name = (orgId: string, key: DeliveryKey) => `${orgId} ${key.notificationId} ${key.subscriptionId}`
  const found = new Map(
    rows.map(row => [
      name(row.org_id, { notificationId: row.notification_id, subscriptionId: row.subscription_id }),
      {
        words: row.words === null ? null : (JSON.parse(row.words) as Words),
        oldTitle: row.old_title ?? '',
        language: row.language as Language,
        orgSlug: row.slug,
        role: row.role ?? '',
        userId: row.user_id,
        conversationId: row.conversation_id,
        subscription: { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
        isWanted:
          row.viewed_at === null &&
          row.member_id !== null &&
          row.expiresAt > now &&
          Boolean(row.meets_sso) &&
          (row.second_factor_required !== 1 || row.second_factor_since !== null),
      },
    ]),
  )
  return (orgId, key) => found.get(name(orgId, key))
}
