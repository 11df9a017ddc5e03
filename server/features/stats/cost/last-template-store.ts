import { sql } from 'kysely'
import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'

/** The last template that was sent in each of these conversations since a time. */
export const findLastTemplates = lookupQuery<{ orgId: string; since: string }, { id: string }>(
  (db, conversationIds, { orgId, since }) =>
    db
      .selectFrom(
        db
          .selectFrom('message')
          .select([
            'id',
            sql<number>`row_number() over (partition by conversation_id order by at desc, seq desc)`.as('age'),
          ])
          .where('conversation_id', 'in', conversationIds)
          .where('at', '>=', since)
          .where('direction', '=', 'out')
          .where('type', '=', 'template')
          .where(belongsTo('message.org_id', orgId))
          .as('sent'),
      )
      .select('id')
      .where('age', '=', 1),
)
