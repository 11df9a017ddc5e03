import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * The name of each member beside their membership, so that the list of an organization's people by name is read from an
 * index and not sorted. The database keeps it in the statement that changes the name, whoever does.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('member')
    .addColumn('sort_name', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await sql`update member set sort_name = (select name from "user" where id = member."userId")`.execute(db)
  await db.schema
    .createIndex('member_by_name')
    .on('member')
    .columns(['organizationId', 'sort_name', 'userId'])
    .execute()
  for (const statement of isPostgres ? postgresTriggers : sqliteTriggers) await sql.raw(statement).execute(db)
}

/** Of somebody who is copied in before their account it is the one that came along. */
const nameOf = (member: string) =>
  `coalesce((select name from "user" where id = ${member}."userId"), ${member}.sort_name)`

const sqliteTriggers = [
  `create trigger member_has_name after insert on member
   begin update member set sort_name = ${nameOf('new')} where id = new.id; end`,
  `create trigger member_keeps_name after update of name on "user" when new.name <> old.name
   begin update member set sort_name = new.name where "userId" = new.id; end`,
]

const postgresTriggers = [
  `create function member_has_name() returns trigger language plpgsql as $$ begin
     new.sort_name := ${nameOf('new')};
     return new;
   end $$`,
  `create trigger member_has_name before insert on member
   for each row execute function member_has_name()`,
  `create function member_keeps_name() returns trigger language plpgsql as $$ begin
     update member set sort_name = new.name where "userId" = new.id;
     return null;
   end $$`,
  `create trigger member_keeps_name after update of name on "user"
   for each row when (new.name <> old.name) execute function member_keeps_name()`,
]
