import { sql } from 'kysely'
import { archiveStates } from '#server/messaging/archive-states.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/**
 * Computes from the messages since when the customers of these conversations wait: since their first message after our
 * last answer that did not fail. A template that a program sent is no answer. Groups and blocked contacts do not wait.
 * Returns the ids of those that changed.
 */
export async function countWaitsAgain(
  trx: OrgDb,
  orgId: string,
  conversationIds: readonly string[],
): Promise<string[]> {
  const since = sql<string | null>`(
    select min(heard.at) from message as heard
    where heard.conversation_id = conversation.id and heard.direction = 'in' and heard.type <> 'system'
      and heard.import_id is null
      and heard.at > coalesce((
        select answer.at from message as answer
        where answer.conversation_id = conversation.id and answer.direction = 'out' and answer.status <> 'failed'
          and answer.import_id is null
          and (answer.author_kind = 'person' or answer.type <> 'template')
        order by answer.at desc, answer.seq desc limit 1), ''))`
  const changed = await trx
    .updateTable('conversation')
    .set({ waiting_since: since })
    .where('org_id', '=', orgId)
    .where('id', 'in', conversationIds)
    .where('archived', '<>', archiveStates.archived)
    .where(
      sql<boolean>`exists (select 1 from contact as customer where customer.id = conversation.contact_id
        and customer.blocked_at is null and customer.is_group = 0)`,
    )
    .where(sql<boolean>`waiting_since is distinct from ${since}`)
    .returning('id')
    .execute()
  return changed.map(({ id }) => id)
}
