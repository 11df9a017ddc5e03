import { sql } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

/** A message with the columns that a reaction, an edit or a deletion needs. */
export interface ChangedMessage {
  seq: number
  id: string
  conversation_id: string
  wamid: string
  text: string
  content: string | null
  edited_at: string | null
  revoked_at: string | null
  direction: string
  /** The customer's number. */
  wa_id: string | null
  bsuid: string | null
}

export const findTargets = lookupQuery<{ orgId: string }, ChangedMessage>((db, wamids, { orgId }) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select(['message.seq', 'message.id', 'message.conversation_id', 'message.wamid', 'message.text'])
    .select(['message.content', 'message.edited_at', 'message.revoked_at', 'message.direction'])
    .select(['contact.wa_id', 'contact.bsuid'])
    .where('message.org_id', '=', orgId)
    .where('message.wamid', 'in', wamids)
    .$narrowType<{ wamid: string }>(),
)

export const saveTargets = bulkWrite<ChangedMessage, { orgId: string }, never>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(row => sql`(${wholeNumber(row.seq)}, ${row.text}, ${row.content}, ${row.edited_at}, ${row.revoked_at})`),
  )
  return sql<never>`update message set text = v.column2, content = v.column3, edited_at = v.column4, revoked_at = v.column5
    from (values ${values}) as v where message.seq = v.column1 and ${belongsTo('message.org_id', orgId)}`
}, 'update')

/**
 * Updates the text in the list of conversations where the message is the last one, and its type unless `kind` is null.
 * Returns the conversations that changed.
 */
export const saveLastText = bulkWrite<
  { conversation_id: string; seq: number; preview: string; kind: string | null },
  { orgId: string },
  { id: string }
>((_db, rows, { orgId }) => {
  const values = sql.join(
    rows.map(row => sql`(${row.conversation_id}, ${wholeNumber(row.seq)}, ${row.preview}, ${row.kind})`),
  )
  return sql<{ id: string }>`update conversation set last_message_text = v.column3,
    last_message_type = coalesce(v.column4, last_message_type) from (values ${values}) as v
    where conversation.id = v.column1 and conversation.last_message_seq = v.column2
    and conversation.last_message_type <> 'reaction' and ${belongsTo('conversation.org_id', orgId)}
    returning conversation.id as id`
}, 'update')

export interface ReactionChange {
  messageId: string
  by: string
  emoji: string
  at: string
}

/** Keeps the reaction with the latest time. An empty emoji: it was removed. Returns the messages that changed. */
export const saveReactions = bulkWrite<ReactionChange, { orgId: string }, { message_id: string }>(
  (db, rows, { orgId }) =>
    db
      .insertInto('reaction')
      .values(rows.map(row => ({ message_id: row.messageId, org_id: orgId, by: row.by, emoji: row.emoji, at: row.at })))
      .onConflict(conflict =>
        conflict
          .columns(['message_id', 'by'])
          .doUpdateSet(eb => ({ emoji: eb.ref('excluded.emoji'), at: eb.ref('excluded.at') }))
          .where(eb =>
            eb.or([
              eb('excluded.at', '>', eb.ref('reaction.at')),
              eb.and([
                eb('excluded.at', '=', eb.ref('reaction.at')),
                eb('excluded.emoji', '<>', eb.ref('reaction.emoji')),
              ]),
            ]),
          ),
      )
      .returning('message_id'),
)

/** Our last reaction to a message. An empty emoji means it was removed. */
export const findOwnReaction = (
  db: Db,
  orgId: string,
  messageId: string,
): Promise<{ emoji: string; at: string } | undefined> =>
  db
    .selectFrom('reaction')
    .select(['emoji', 'at'])
    .where('org_id', '=', orgId)
    .where('message_id', '=', messageId)
    .where('by', '=', 'us')
    .executeTakeFirst()
