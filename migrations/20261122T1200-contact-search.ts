import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Names and numbers of contacts, found by any beginning of a word and by any part of a number without reading the
 * contacts: each word is a row, and each end of a number, whose beginnings are all its parts.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await db.schema
      .createTable('contact_term')
      .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
      .addColumn('term', 'text', c => c.notNull())
      .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('contact_term_pk', ['contact_id', 'term'])
      .execute()
  else await createTermsInSqlite(db)
  let after = ''
  for (;;) {
    const contacts: { id: string; org_id: string; search: string }[] = await db
      .selectFrom('contact')
      .select(['id', 'org_id', 'search'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1000)
      .execute()
    const rows = contacts.flatMap(({ id, org_id, search }) => termsOf(search).map(term => [id, term, org_id]))
    if (rows.length)
      await sql`insert into contact_term (contact_id, term, org_id)
        select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
        from json_each(${JSON.stringify(rows)})`.execute(db)
    const last = contacts.at(-1)
    if (!last) break
    after = last.id
  }
  await sql`create index "contact_term_term" on "contact_term" ("org_id", "term", "contact_id")`.execute(db)
}

// biome-ignore lint/suspicious/noExplicitAny: as above
async function createTermsInSqlite(db: Kysely<any>): Promise<void> {
  await sql`create table "contact_term" (
    "contact_id" text not null references "contact" ("id") on delete cascade,
    "term" text not null,
    "org_id" text not null references "organization" ("id") on delete cascade,
    constraint "contact_term_pk" primary key ("contact_id", "term")
  ) strict, without rowid`.execute(db)
}

/** `search` has the folded names and the numbers of a contact. */
function termsOf(search: string): string[] {
  const terms = new Set<string>()
  for (const word of search.split(/[^\p{L}\p{N}\p{Co}]+/u).slice(0, 40)) {
    if (!/^\d{3,20}$/.test(word)) terms.add([...word].slice(0, 40).join(''))
    else for (let i = 0; i <= word.length - 3; i += 1) terms.add(`#${word.slice(i)}`)
  }
  terms.delete('')
  return [...terms]
}
