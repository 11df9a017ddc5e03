import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * A message that changes before it was read into the index of words is read in once, as it is by then: only what is in
 * the index waits to be read again. So it always was in SQLite.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`create or replace function message_index_update() returns trigger language plpgsql as $$ begin
    if new.seq <= (select seq from search_place where name = 'message') then
      delete from message_index where seq = new.seq;
      insert into search_pending (seq) values (new.seq) on conflict do nothing;
    end if;
    return null;
  end $$`.execute(db)
}
