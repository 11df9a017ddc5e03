import { type Kysely, PostgresAdapter, sql } from 'kysely'

const rowsAtOnce = 500

/**
 * Names and numbers of contacts in the engine's own index of words, which writes what is new one after the other: a row
 * for each word and each end of a number was written all over two trees, most of what a new contact cost.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await (isPostgres ? createInPostgres(db) : createInSqlite(db))
  await sql`insert into search_org (org_id) select distinct org_id from contact
    where org_id not in (select org_id from search_org)`.execute(db)
  const orgs: { org_id: string; org_key: number }[] = await db
    .selectFrom('search_org')
    .select(['org_id', 'org_key'])
    .execute()
  const keys = new Map(orgs.map(row => [row.org_id, row.org_key]))
  let seq = 0
  for (let after = ''; ; ) {
    const contacts: { id: string; org_id: string; search: string }[] = await db
      .selectFrom('contact')
      .select(['id', 'org_id', 'search'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    const last = contacts.at(-1)
    if (!last) break
    const rows = contacts.map(({ id, org_id, search }) => ({
      id,
      seq: ++seq,
      org_id,
      ...wordsOf(search, keys.get(org_id) as number),
    }))
    await (isPostgres ? insertInPostgres(db, rows) : insertInSqlite(db, rows))
    after = last.id
  }
  if (isPostgres)
    await sql`create index "contact_words_terms" on "contact_words" using gin (string_to_array("terms", ' '))
      with (gin_pending_list_limit = 256)`.execute(db)
  // With what they are told apart by: whoever goes through the list for a name reads no row for that.
  await sql`create index "contact_words_contact" on "contact_words" ("contact_id", "words", "numbers")`.execute(db)
  await sql`drop table contact_term`.execute(db)
}

interface Row {
  id: string
  seq: number
  org_id: string
  words: string
  numbers: string
  terms: string
}

async function createInSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create table "contact_words" (
    "seq" integer primary key,
    "contact_id" text not null references "contact" ("id") on delete cascade,
    "org_id" text not null,
    "words" text not null,
    "numbers" text not null,
    "terms" text not null
  ) strict`.execute(db)
  await sql`create virtual table contact_index using fts5(terms, content='', detail=none, tokenize='ascii')`.execute(db)
  await sql`create trigger contact_index_insert after insert on contact_words
    begin
      insert into contact_index (rowid, terms) values (new.seq, new.terms);
    end`.execute(db)
  await sql`create trigger contact_index_delete after delete on contact_words
    begin
      insert into contact_index (contact_index, rowid, terms) values ('delete', old.seq, old.terms);
    end`.execute(db)
}

async function createInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table "contact_words" (
    "seq" bigint primary key,
    "contact_id" text collate "C" not null references "contact" ("id") on delete cascade,
    "org_id" text collate "C" not null,
    "words" text collate "C" not null,
    "numbers" text collate "C" not null,
    "terms" text collate "C" not null
  )`.execute(db)
}

const insertInSqlite = (db: Kysely<unknown>, rows: readonly Row[]) =>
  sql`insert into contact_words (contact_id, seq, org_id, words, numbers, terms)
    select value ->> 'id', value ->> 'seq', value ->> 'org_id', value ->> 'words', value ->> 'numbers', value ->> 'terms'
    from json_each(${JSON.stringify(rows)})`.execute(db)

const insertInPostgres = (db: Kysely<unknown>, rows: readonly Row[]) =>
  sql`insert into contact_words (contact_id, seq, org_id, words, numbers, terms)
    select id, seq, org_id, words, numbers, terms from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (id text, seq bigint, org_id text, words text, numbers text, terms text)`.execute(db)

/** `search` has the folded names and the numbers of a contact. */
function wordsOf(search: string, orgKey: number): Pick<Row, 'words' | 'numbers' | 'terms'> {
  const every = [...new Set(search.match(/[\p{L}\p{N}\p{Co}]+/gu))].slice(0, 40)
  const isNumber = (word: string) => /^\d{3,20}$/.test(word)
  const numbers = every.filter(isNumber)
  const words = every.filter(word => !isNumber(word)).map(word => [...word].slice(0, 40))
  const terms = new Set<string>()
  for (const word of words)
    for (let end = 1; end <= Math.min(word.length, 8); end += 1) terms.add(`${orgKey}·${word.slice(0, end).join('')}`)
  for (const number of numbers)
    for (let at = 0; at <= number.length - 3; at += 1) terms.add(`${orgKey}··${number.slice(at, at + 3)}`)
  return {
    words: words.map(word => ` ${word.join('')}`).join(''),
    numbers: numbers.map(number => ` ${number}`).join(''),
    terms: [...terms].join(' '),
  }
}
