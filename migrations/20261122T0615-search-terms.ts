import { type Kysely, sql } from 'kysely'

/**
 * The index of words anew, made of terms that name the organization and a stretch of messages: no term grows with the
 * number of messages, so that merging it never takes long. What is edited or taken back leaves the index at once and
 * waits to be read again.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await sql`drop trigger message_index_delete`.execute(db)
  await sql`drop trigger message_index_update`.execute(db)
  await sql`drop table message_index`.execute(db)
  await sql`update search_place set seq = 0`.execute(db)
  await sql`create table search_org (
    org_key integer primary key autoincrement,
    org_id text not null unique references organization (id) on delete cascade
  ) strict`.execute(db)
  await sql`create table search_pending (seq integer primary key) strict`.execute(db)
  await sql`create virtual table message_index using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`.execute(
    db,
  )
  await sql`insert into message_index (message_index, rank) values ('automerge', 0)`.execute(db)
  await sql`create trigger message_index_delete after delete on message
    when old.seq <= (select seq from search_place where name = 'message') begin
      delete from message_index where rowid = old.seq;
    end`.execute(db)
  await sql`create trigger message_index_update after update of text, revoked_at on message
    when old.seq <= (select seq from search_place where name = 'message')
      and (new.text is not old.text or new.revoked_at is not old.revoked_at) begin
      delete from message_index where rowid = old.seq;
      insert into search_pending (seq) values (new.seq) on conflict do nothing;
    end`.execute(db)
}
