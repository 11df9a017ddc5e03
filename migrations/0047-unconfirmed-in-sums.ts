import { type Kysely, sql } from 'kysely'

// As `failureReason` names them when this was written.
const codes = sql`('INTERNAL', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE')`

/** Unconfirmed messages are counted again, because they no longer count as failed but as sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into sent_message_due (message_id, org_id, opted_out)
    select sent_message.message_id, sent_message.org_id, 0 from sent_message
    join message on message.id = sent_message.message_id
    where sent_message.state = 'failed' and message.error_code in ${codes}
    on conflict (message_id) do nothing`.execute(db)
  // They were sent, too, so that the end of a curve says as many as its send does.
  await sql`update bulk_send_curve
    set sent = sent + (select unconfirmed from bulk_send where bulk_send.id = bulk_send_curve.send_id)
    where send_id in (select id from bulk_send where unconfirmed > 0)
    and until = (select max(until) from bulk_send_curve as later where later.send_id = bulk_send_curve.send_id)`.execute(
    db,
  )
}
