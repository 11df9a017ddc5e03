import { type Kysely, sql } from 'kysely'

// As `failureReason` names them when this was written.
const codes = sql`('INTERNAL', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE')`

/** Recipients of whom nobody knows whether they got it are no longer counted among the failed ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bulk_send')
    .addColumn('unconfirmed', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await sql`update bulk_recipient set state = 'unconfirmed' where state = 'failed' and reason in ${codes}`.execute(db)
  const unconfirmed = sql`(select count(*) from bulk_recipient
    where bulk_recipient.send_id = bulk_send.id and bulk_recipient.state = 'unconfirmed')`
  await sql`update bulk_send set unconfirmed = ${unconfirmed}, failed = failed - ${unconfirmed}
    where id in (select send_id from bulk_recipient where state = 'unconfirmed')`.execute(db)
  // The end of a curve says as many failed as its send does.
  await sql`update bulk_send_curve
    set failed = failed - (select unconfirmed from bulk_send where bulk_send.id = bulk_send_curve.send_id)
    where send_id in (select id from bulk_send where unconfirmed > 0)
    and until = (select max(until) from bulk_send_curve as later where later.send_id = bulk_send_curve.send_id)`.execute(
    db,
  )
}
