import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * The name that members are listed and found by: in small letters and without accents, so that Ángel stands among those
 * with A, and is found by whoever writes `angel`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const folded = isPostgres ? foldedOnPostgres : foldedOnSqlite
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) await sql.raw(statement).execute(db)
  await sql`update member set sort_name = ${sql.raw(folded('sort_name'))}`.execute(db)
}

const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'
// What `lower` makes of capitals with an accent depends on the engine and its locale.
const from = accented + accented.toUpperCase()
const to = plain + plain

const foldedOnPostgres = (name: string) => `translate(lower(${name}), '${from}', '${to}')`
const foldedOnSqlite = (name: string) =>
  [...from].reduce((inner, letter, i) => `replace(${inner}, '${letter}', '${to[i]}')`, `lower(${name})`)

/** Of somebody who is copied in before their account it is the one that came along. */
const nameOf = (member: string, folded: (name: string) => string) =>
  `coalesce((select ${folded('name')} from "user" where id = ${member}."userId"), ${member}.sort_name)`

const sqliteTriggers = [
  'drop trigger member_has_name',
  'drop trigger member_keeps_name',
  `create trigger member_has_name after insert on member
   begin update member set sort_name = ${nameOf('new', foldedOnSqlite)} where id = new.id; end`,
  `create trigger member_keeps_name after update of name on "user" when new.name <> old.name
   begin update member set sort_name = ${foldedOnSqlite('new.name')} where "userId" = new.id; end`,
]

const postgresTriggers = [
  `create or replace function member_has_name() returns trigger language plpgsql as $$ begin
     new.sort_name := ${nameOf('new', foldedOnPostgres)};
     return new;
   end $$`,
  `create or replace function member_keeps_name() returns trigger language plpgsql as $$ begin
     update member set sort_name = ${foldedOnPostgres('new.name')} where "userId" = new.id;
     return null;
   end $$`,
]
