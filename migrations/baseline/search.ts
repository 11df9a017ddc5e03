import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/**
 * Search over messages and contacts. Each engine's own full-text index holds terms; a term names an organization
 * (`search_org`) and, for messages, a range of them. A worker reads messages into the index up to `search_place`.
 * Triggers take an edited or revoked message out at once, and it waits in `search_pending` to be read again.
 */
export async function createSearch(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  await runAll(db, [`insert into search_place (name, seq) values ('message', 0)`])
  await runAll(db, isOnPostgres(db) ? postgresIndexes : sqliteIndexes)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_place')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('seq', 'integer', c => c.notNull())
    .execute()

  await db.schema
    .createTable('search_pending')
    .addColumn('seq', 'integer', c => c.primaryKey())
    .execute()

  await db.schema
    .createTable('search_org')
    .addColumn('org_key', 'integer', c => c.primaryKey().autoIncrement())
    .addColumn('org_id', 'text', c => c.notNull().unique().references('organization.id').onDelete('cascade'))
    .execute()

  // Which ranges of messages a word cannot be in, so that a rare word is not looked up in each.
  await db.schema
    .createTable('search_outline')
    .addColumn('part', 'integer', c => c.notNull())
    .addColumn('stretch', 'integer', c => c.notNull())
    .addColumn('bits', 'blob', c => c.notNull())
    .addPrimaryKeyConstraint('search_outline_pk', ['part', 'stretch'])
    .execute()

  // Folded names and numbers of each contact. No reference to the organization: the rows go with their contact.
  await db.schema
    .createTable('contact_words')
    .addColumn('seq', 'integer', c => c.primaryKey())
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('org_id', 'text', c => c.notNull())
    .addColumn('words', 'text', c => c.notNull())
    .addColumn('numbers', 'text', c => c.notNull())
    .addColumn('terms', 'text', c => c.notNull())
    .execute()
  await runAll(db, [`create index "contact_words_contact" on "contact_words" ("contact_id", "words", "numbers")`])
}

// `automerge` 0: the worker merges segments, a few pages at a time; SQLite would do it within some unlucky commit.
const sqliteIndexes = [
  `create virtual table message_index using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  `insert into message_index (message_index, rank) values ('automerge', 0)`,
  `create trigger message_index_delete after delete on message
    when old.seq <= (select seq from search_place where name = 'message') begin
      delete from message_index where rowid = old.seq;
    end`,
  `create trigger message_index_update after update of text, revoked_at on message
    when old.seq <= (select seq from search_place where name = 'message')
      and (new.text is not old.text or new.revoked_at is not old.revoked_at) begin
      delete from message_index where rowid = old.seq;
      insert into search_pending (seq) values (new.seq) on conflict do nothing;
    end`,
  `create virtual table contact_index using fts5(terms, content='', detail=none, tokenize='ascii')`,
  `create trigger contact_index_insert after insert on contact_words
    begin
      insert into contact_index (rowid, terms) values (new.seq, new.terms);
    end`,
  `create trigger contact_index_delete after delete on contact_words
    begin
      insert into contact_index (contact_index, rowid, terms) values ('delete', old.seq, old.terms);
    end`,
]

const postgresIndexes = [
  `create table message_index (seq bigint primary key, terms tsvector not null)`,
  `create index message_index_terms on message_index using gin (terms)`,
  `create function message_index_delete() returns trigger language plpgsql as $$ begin
    delete from message_index where seq = old.seq;
    return null;
  end $$`,
  `create trigger message_index_delete after delete on message
    for each row execute function message_index_delete()`,
  `create function message_index_update() returns trigger language plpgsql as $$ begin
    if new.seq <= (select seq from search_place where name = 'message') then
      delete from message_index where seq = new.seq;
      insert into search_pending (seq) values (new.seq) on conflict do nothing;
    end if;
    return null;
  end $$`,
  `create trigger message_index_update after update of text, revoked_at on message for each row
    when (new.text is distinct from old.text or new.revoked_at is distinct from old.revoked_at)
    execute function message_index_update()`,
  `create index contact_words_terms on contact_words using gin (string_to_array(terms, ' '))
    with (gin_pending_list_limit = 256)`,
]
