import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * On PostgreSQL one row says which transaction last changed anything of who may ask and sees what: processes remember
 * that past commits of other things. SQLite tells of commits for nothing and looks people up in its own process.
 *
 * It is written at the end of a transaction, when that waits for nothing else any more: who has the row holds up nobody
 * whose other rows it wants.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  for (const statement of [...row, ...tables.map(triggerOn)]) await sql.raw(statement).execute(db)
}

const row = [
  'create table access_change (id bigint primary key, transaction text collate "C" not null)',
  `insert into access_change values (1, pg_current_xact_id()::text)`,
  `create function access_changes() returns trigger language plpgsql as $$ begin
     update access_change set transaction = pg_current_xact_id()::text
       where id = 1 and transaction <> pg_current_xact_id()::text;
     return null;
   end $$`,
]

const tables = [
  'session',
  'user',
  'member',
  'organization',
  'former_slug',
  'org_settings',
  'second_factor',
  'sso_provider',
  'sso_demand',
  'content_access_setting',
  'content_access',
  'team',
  'teamMember',
]

const triggerOn = (
  table: string,
) => `create constraint trigger access_changes after insert or update or delete on "${table}"
  deferrable initially deferred for each row execute function access_changes()`
