import type { Kysely } from 'kysely'
import { isOnPostgres, ofOrganization, runAll } from './baseline/schema.ts'

/**
 * Packs: the segments of an organization that began on one UTC day, in few bytes, so that figures of many days need not
 * read all rows. Triggers insert a row for each day with segments, and clear it when one of them changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('conversation_segment_pack')
    .addColumn('org_id', 'text', ofOrganization)
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('day', 'text', c => c.notNull())
    // Not null: a pack is being made.
    .addColumn('token', 'text')
    // Null: not packed.
    .addColumn('data', 'blob')
    .addColumn('ids', 'text')
    .addColumn('conversation_ids', 'text')
    .addPrimaryKeyConstraint('conversation_segment_pack_pk', ['org_id', 'kind', 'day'])
    .execute()
  await runAll(db, [
    // Conversations that a bot attends alone are not unattended.
    `drop index conversation_segment_unattended`,
    `create index conversation_segment_unattended on conversation_segment (org_id, started_at, id)
       where is_last = 1 and resolved_at is null and waiting_since is not null and first_reply_at is null
         and (has_bot = 0 or handed_at is not null)`,
    `create index conversation_segment_pack_due on conversation_segment_pack (day) where data is null`,
    `insert into conversation_segment_pack (org_id, kind, day)
       select distinct org_id, kind, substr(started_at, 1, 10) from conversation_segment`,
    ...(isOnPostgres(db) ? postgresTriggers : sqliteTriggers),
  ])
}

const addDay = `insert into conversation_segment_pack (org_id, kind, day)
     values (new.org_id, new.kind, substr(new.started_at, 1, 10)) on conflict do nothing`
const clear = (row: 'old' | 'new') =>
  `update conversation_segment_pack set token = null, data = null, ids = null, conversation_ids = null
     where org_id = ${row}.org_id and kind = ${row}.kind and day = substr(${row}.started_at, 1, 10)
       and (token is not null or data is not null)`

const sqliteTriggers = [
  `create trigger conversation_segment_pack_added after insert on conversation_segment
     begin ${addDay}; ${clear('new')}; end`,
  `create trigger conversation_segment_pack_changed after update on conversation_segment begin ${clear('new')}; end`,
  `create trigger conversation_segment_pack_deleted after delete on conversation_segment begin ${clear('old')}; end`,
]

const postgresTriggers = [
  `create function conversation_segment_pack_added() returns trigger language plpgsql as $$ begin
     ${addDay}; ${clear('new')}; return null;
   end $$`,
  `create function conversation_segment_pack_changed() returns trigger language plpgsql as $$ begin
     ${clear('new')}; return null;
   end $$`,
  `create function conversation_segment_pack_deleted() returns trigger language plpgsql as $$ begin
     ${clear('old')}; return null;
   end $$`,
  ...(
    [
      ['insert', 'added'],
      ['update', 'changed'],
      ['delete', 'deleted'],
    ] as const
  ).map(
    ([event, name]) =>
      `create trigger conversation_segment_pack_${name} after ${event} on conversation_segment
         for each row execute function conversation_segment_pack_${name}()`,
  ),
]
