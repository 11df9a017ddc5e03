import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * The index of words anew, made of terms that name the organization and a stretch of messages: no term grows with the
 * number of messages, so that merging it never takes long. What is edited or taken back leaves the index at once and
 * waits to be read again.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return inPostgres(db)
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

/** The same terms as PostgreSQL's own list of words, with the same two triggers. Its index merges beside its writers. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function inPostgres(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('search_org')
    .addColumn('org_key', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().unique().references('organization.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createTable('search_pending')
    .addColumn('seq', 'integer', c => c.primaryKey())
    .execute()
  await sql`create table message_index (seq bigint primary key, terms tsvector not null)`.execute(db)
  await sql`create index message_index_terms on message_index using gin (terms)`.execute(db)
  await sql`create function message_index_delete() returns trigger language plpgsql as $$ begin
    delete from message_index where seq = old.seq;
    return null;
  end $$`.execute(db)
  await sql`create trigger message_index_delete after delete on message
    for each row execute function message_index_delete()`.execute(db)
  await sql`create function message_index_update() returns trigger language plpgsql as $$ begin
    delete from message_index where seq = new.seq;
    insert into search_pending (seq) values (new.seq) on conflict do nothing;
    return null;
  end $$`.execute(db)
  await sql`create trigger message_index_update after update of text, revoked_at on message for each row
    when (new.text is distinct from old.text or new.revoked_at is distinct from old.revoked_at)
    execute function message_index_update()`.execute(db)
}
