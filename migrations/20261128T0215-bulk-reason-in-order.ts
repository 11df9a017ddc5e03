import { type Kysely, sql } from 'kysely'

/** Those of a send whom the same befell are read in the order of its plan, a page at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index "bulk_recipient_reason"`.execute(db)
  await sql`create index "bulk_recipient_reason" on "bulk_recipient" ("send_id", "state", "reason", "place")
    where "reason" is not null`.execute(db)
}
