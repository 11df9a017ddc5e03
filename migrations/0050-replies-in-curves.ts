import { type Kysely, sql } from 'kysely'

/** How many had replied, in each stretch of time. Replies from before count in the last stretch of their send. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bulk_send_curve')
    .addColumn('replied', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await sql`update bulk_send_curve
    set replied = (select replied from bulk_send where bulk_send.id = bulk_send_curve.send_id)
    where send_id in (select id from bulk_send where replied > 0)
    and until = (select max(until) from bulk_send_curve as later where later.send_id = bulk_send_curve.send_id)`.execute(
    db,
  )
}
