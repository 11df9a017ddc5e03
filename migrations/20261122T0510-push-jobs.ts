import { type Kysely, sql } from 'kysely'

/** What has to be handed to push services is jobs like everything else that waits; attempts that were made count. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`insert into job (org_id, kind, lane, queue, order_key, pace_key, unique_key, payload, state, blocked,
      attempts, due_at, added_at)
    select d.org_id, 'push', 1, 'push/1/' || d.org_id || '/' || s.user_id, 'browser ' || s.id, s.user_id,
      d.notification_id || ' ' || s.id,
      '{"notificationId":"' || d.notification_id || '","subscriptionId":"' || s.id || '"}',
      'scheduled', 0, d.attempts, d.due_at, d.created_at
    from push_delivery as d join push_subscription as s on s.id = d.subscription_id
    where d.seq in (select min(seq) from push_delivery group by notification_id, subscription_id)
    order by d.seq`.execute(db)
  await db.schema.dropTable('push_delivery').execute()
}
