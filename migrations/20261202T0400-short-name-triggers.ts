import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * SQLite 3.40 (Debian 12) cannot parse a trigger with 54 nested calls, and then opens no table of the file. The triggers
 * that keep a member's folded name replace nine letters with each statement instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  for (const statement of triggers) await sql.raw(statement).execute(db)
}

const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'
// SQLite's `lower` changes ASCII letters only.
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

const triggers = [
  'drop trigger member_has_name',
  'drop trigger member_keeps_name',
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
