import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/**
 * `member.sort_name` is the account's name in small letters without accents: Ángel is listed among the names with A, and
 * `angel` finds him. The list by name is read from an index. Triggers keep it, whichever statement changes the name.
 */
export const createFoldedNames = (db: Kysely<unknown>): Promise<void> =>
  runAll(db, isOnPostgres(db) ? postgresTriggers : sqliteTriggers)

const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'

// SQLite 3.40 (Debian 12) cannot parse a trigger with 54 nested calls, and then opens no table of the file: nine letters
// per statement. SQLite's `lower` changes ASCII letters only.
const letters = [...accented].flatMap((letter, i) => [
  [letter, plain[i]],
  [letter.toUpperCase(), plain[i]],
])
const perStatement = 9
const groups = Array.from({ length: Math.ceil(letters.length / perStatement) }, (_, i) =>
  letters.slice(i * perStatement, (i + 1) * perStatement),
)
const foldMembers = (which: string): string =>
  groups
    .map(group => group.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, 'sort_name'))
    .map(folded => `update member set sort_name = ${folded} where ${which};`)
    .join('\n     ')

const sqliteTriggers = [
  // A member row that is copied in before its account keeps the name it came with.
  `create trigger member_has_name after insert on member begin
     update member set sort_name = lower(coalesce((select name from "user" where id = new."userId"), sort_name))
       where id = new.id;
     ${foldMembers('id = new.id')}
   end`,
  `create trigger member_keeps_name after update of name on "user" when new.name <> old.name begin
     update member set sort_name = lower(new.name) where "userId" = new.id;
     ${foldMembers('"userId" = new.id')}
   end`,
]

// What PostgreSQL's `lower` makes of accented capitals depends on the locale.
const foldedOnPostgres = (name: string) =>
  `translate(lower(${name}), '${accented}${accented.toUpperCase()}', '${plain}${plain}')`

const postgresTriggers = [
  `create function member_has_name() returns trigger language plpgsql as $$ begin
     new.sort_name := coalesce((select ${foldedOnPostgres('name')} from "user" where id = new."userId"), new.sort_name);
     return new;
   end $$`,
  `create trigger member_has_name before insert on member
   for each row execute function member_has_name()`,
  `create function member_keeps_name() returns trigger language plpgsql as $$ begin
     update member set sort_name = ${foldedOnPostgres('new.name')} where "userId" = new.id;
     return null;
   end $$`,
  `create trigger member_keeps_name after update of name on "user"
   for each row when (new.name <> old.name) execute function member_keeps_name()`,
]
