import { type Kysely, sql } from 'kysely'

// As `failureReason` names them when this was written.
const codes = sql`('INTERNAL', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE')`

/** Unconfirmed messages are counted again, because they no longer count as failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into sent_message_due (message_id, org_id, opted_out)
    select sent_message.message_id, sent_message.org_id, 0 from sent_message
    join message on message.id = sent_message.message_id
    where sent_message.state = 'failed' and message.error_code in ${codes}
    on conflict (message_id) do nothing`.execute(db)
}
