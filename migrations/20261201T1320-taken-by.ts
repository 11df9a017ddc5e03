import { type Kysely, sql } from 'kysely'

/** Who answers a conversation that is nobody's in particular: of those there are, whoever of the team had the last word. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('conversation').addColumn('taken_by', 'text').execute()
  await sql`update conversation set taken_by = (select message.author_id from message
      where message.seq = conversation.last_message_seq and message.author_kind = 'person')
    where control = 'human' and assignee_id is null and last_message_seq is not null`.execute(db)
}
