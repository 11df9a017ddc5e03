import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Words of messages, found without reading the messages: SQLite keeps the words, not the texts, and a place says how far
 * the messages have been read into it. What has been read follows its message by triggers: edited, taken back, deleted.
 * Segments are merged a few pages at a time by who reads messages in; merged by SQLite itself, one commit in thousands
 * takes a tenth of a second.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('search_place')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('seq', 'integer', c => c.notNull())
    .execute()
  await sql`insert into search_place (name, seq) values ('message', 0)`.execute(db)
  // PostgreSQL's installations begin with the index that came after this one.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql`create virtual table message_index using fts5(org, body, content='', contentless_delete=1, prefix='2 3',
    tokenize='unicode61 remove_diacritics 2')`.execute(db)
  await sql`insert into message_index (message_index, rank) values ('automerge', 0)`.execute(db)
  await sql`create trigger message_index_delete after delete on message
    when old.seq <= (select seq from search_place where name = 'message') begin
      delete from message_index where rowid = old.seq;
    end`.execute(db)
  await sql`create trigger message_index_update after update of text, revoked_at on message
    when old.seq <= (select seq from search_place where name = 'message')
      and (new.text is not old.text or new.revoked_at is not old.revoked_at) begin
      delete from message_index where rowid = old.seq;
      insert into message_index (rowid, org, body)
        select new.seq, new.org_id,
          substr(new.text, 1, 4096) || coalesce(' ' || (select name from media where message_id = new.id limit 1), '')
        where new.revoked_at is null;
    end`.execute(db)
}
