import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { scopedQuery, seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Both counts read at most `limit` rows. */
const conversationsNow = scopedQuery((db, p: { orgId: string; limit: number }, scope) =>
  db
    .selectFrom(
      db
        .selectFrom('conversation')
        .where('org_id', '=', p.orgId)
        .where('kind', '=', listedKind(p.orgId))
        .where('archived', '=', 0)
        .select(['unread', 'control', 'contact_id', 'assignee_id', 'team_id'])
        .limit(p.limit)
        .as('open'),
    )
    .where(seen(scope, 'open'))
    .select(eb => [
      eb.fn.countAll<number>().as('open'),
      eb.fn.coalesce(eb.fn.sum<number>(eb.case().when('unread', '>', 0).then(1).else(0).end()), eb.lit(0)).as('unread'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('control', '=', 'needsHuman').then(1).else(0).end()), eb.lit(0))
        .as('waiting'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('control', '=', 'metaAgent').then(1).else(0).end()), eb.lit(0))
        .as('metaAgent'),
    ]),
)

/**
 * Messages since a time, through conversations active since then. Both steps use an index, so that no further index has
 * to be updated with each message.
 */
const messagesSince = scopedQuery((db, p: { orgId: string; since: string; limit: number }, scope) =>
  db
    .selectFrom(
      db
        .selectFrom('conversation')
        .innerJoin('message', 'message.conversation_id', 'conversation.id')
        .where('conversation.org_id', '=', p.orgId)
        .where('conversation.kind', '=', listedKind(p.orgId))
        .where('conversation.archived', 'in', [0, 1, 2])
        .where('conversation.last_activity_at', '>=', p.since)
        .where('message.at', '>=', p.since)
        .where('message.import_id', 'is', null)
        .where(seen(scope))
        .select('message.direction')
        .limit(p.limit)
        .as('today'),
    )
    .select(eb => [
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('direction', '=', 'in').then(1).else(0).end()), eb.lit(0))
        .as('received'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('direction', '=', 'out').then(1).else(0).end()), eb.lit(0))
        .as('sent'),
    ]),
)

/**
 * Messages sent since a time through conversations without activity since then, among the newest `limit` messages that were
 * sent: a bulk send is not an activity. They are counted a few seconds after they were sent.
 */
const quietlySentSince = scopedQuery((db, p: { orgId: string; since: string; limit: number }, scope) =>
  db
    .selectFrom(
      db
        .selectFrom('sent_message')
        .where('org_id', '=', p.orgId)
        .where('at', '>=', p.since)
        .orderBy('at', 'desc')
        .orderBy('message_id', 'desc')
        .limit(p.limit)
        .select('conversation_id')
        .as('newest'),
    )
    .innerJoin('conversation', 'conversation.id', 'newest.conversation_id')
    .where('conversation.kind', '=', listedKind(p.orgId))
    .where(eb =>
      eb.or([eb('conversation.last_activity_at', 'is', null), eb('conversation.last_activity_at', '<', p.since)]),
    )
    .where(seen(scope))
    .select(eb => eb.fn.countAll<number>().as('sent')),
)

const none = { open: 0, unread: 0, waiting: 0, metaAgent: 0 }

/** Open, unread and waiting conversations among the first `limit`. */
export const countConversations = async (db: Db, viewer: Viewer, limit: number) =>
  (await conversationsNow(db, viewer, { limit }))[0] ?? none

/** Messages at or after a time, among the first `limit`. */
export const countMessages = async (db: Db, viewer: Viewer, since: string, limit: number) => {
  const [active] = await messagesSince(db, viewer, { since, limit })
  const sent = active?.sent ?? 0
  const [quiet] = sent < limit ? await quietlySentSince(db, viewer, { since, limit }) : []
  return { received: active?.received ?? 0, sent: Math.min(limit, sent + (quiet?.sent ?? 0)) }
}
