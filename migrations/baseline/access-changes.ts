import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/**
 * On PostgreSQL one row names the transaction that last changed who may see what, so that processes can cache it.
 * SQLite reports commits for free and needs no row. The triggers are deferred: the row is written at the end of the
 * transaction, which then waits for no other lock.
 */
export async function createAccessChanges(db: Kysely<unknown>): Promise<void> {
  if (isOnPostgres(db)) await runAll(db, [...row, ...tables.map(triggerOn)])
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
