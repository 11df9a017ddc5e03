import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * A term goes with its contact, and that with its organization: to look the organization up for each of the dozen terms of
 * a number was a third of what a new contact costs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table contact_term drop constraint contact_term_org_id_fkey`.execute(db)
    return
  }
  await sql`alter table contact_term rename to contact_term_before`.execute(db)
  await sql`create table "contact_term" (
    "contact_id" text not null references "contact" ("id") on delete cascade,
    "term" text not null,
    "org_id" text not null,
    constraint "contact_term_pk" primary key ("contact_id", "term")
  ) strict, without rowid`.execute(db)
  await sql`insert into contact_term (contact_id, term, org_id)
    select contact_id, term, org_id from contact_term_before order by contact_id, term`.execute(db)
  await sql`drop table contact_term_before`.execute(db)
  await sql`create index "contact_term_term" on "contact_term" ("org_id", "term", "contact_id")`.execute(db)
}
