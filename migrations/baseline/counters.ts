import type { Kysely } from 'kysely'
import { isOnPostgres, runAll } from './schema.ts'

/** `file_use` and `row_use` count what an organization keeps, in the statement that adds or deletes it. */
export async function createCounters(db: Kysely<unknown>): Promise<void> {
  const isPostgres = isOnPostgres(db)
  await runAll(db, isPostgres ? postgresFileTriggers : fileTables.flatMap(sqliteFileTriggers))
  await runAll(db, counted.flatMap(isPostgres ? postgresRowTriggers : sqliteRowTriggers))
}

const fileTables = ['media', 'template_media', 'ready_answer_file', 'received_file']

const bytesOf = (row: string) => `(case when ${row}.path is null then 0 else coalesce(${row}.size, 0) end)`
const addBytes = (bytes: string, org: string) =>
  `insert into file_use (org_id, bytes) values (${org}, ${bytes})
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes`
// An organization that is being deleted has no row any more, and must not get one.
const subtractBytes = (row: string) =>
  `update file_use set bytes = bytes - ${bytesOf(row)} where org_id = ${row}.org_id`

const sqliteFileTriggers = (table: string): string[] => [
  `create trigger ${table}_is_counted after insert on ${table} when ${bytesOf('new')} > 0
   begin ${addBytes(bytesOf('new'), 'new.org_id')}; end`,
  `create trigger ${table}_is_counted_again after update of path, size on ${table} when ${bytesOf('new')} <> ${bytesOf('old')}
   begin ${addBytes(`${bytesOf('new')} - ${bytesOf('old')}`, 'new.org_id')}; end`,
  `create trigger ${table}_is_counted_no_more after delete on ${table} when ${bytesOf('old')} > 0
   begin ${subtractBytes('old')}; end`,
]

const postgresTriggersOn = (table: string): string[] =>
  [
    ['is_counted', 'insert'],
    ['is_counted_again', 'update of path, size'],
    ['is_counted_no_more', 'delete'],
  ].map(
    ([name, when]) => `create trigger ${table}_${name} after ${when} on ${table}
        for each row execute function file_is_counted()`,
  )

const postgresFileTriggers = [
  `create function file_is_counted() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' then
       if ${bytesOf('old')} > 0 then ${subtractBytes('old')}; end if;
     elsif tg_op = 'INSERT' then
       if ${bytesOf('new')} > 0 then ${addBytes(bytesOf('new'), 'new.org_id')}; end if;
     elsif ${bytesOf('new')} <> ${bytesOf('old')} then
       ${addBytes(`${bytesOf('new')} - ${bytesOf('old')}`, 'new.org_id')};
     end if;
     return null;
   end $$`,
  ...fileTables.flatMap(postgresTriggersOn),
]

/** Counts the files of a table that was added later. */
export const countFiles = (db: Kysely<unknown>, table: string): Promise<void> =>
  runAll(db, isOnPostgres(db) ? postgresTriggersOn(table) : sqliteFileTriggers(table))

interface Counted {
  readonly table: string
  readonly column: string
  /** Which of its rows count, with the row's name in place of `row`. */
  readonly only?: string
}
const counted: readonly Counted[] = [
  { table: 'contact', column: 'contacts' },
  { table: 'message', column: 'notes', only: "row.type = 'note'" },
]

const addRow = (column: string) =>
  `insert into row_use (org_id, ${column}) values (new.org_id, 1)
     on conflict (org_id) do update set ${column} = row_use.${column} + 1`
// An organization that is being deleted has no row any more, and must not get one.
const subtractRow = (column: string) => `update row_use set ${column} = ${column} - 1 where org_id = old.org_id`

const sqliteRowTriggers = ({ table, column, only }: Counted): string[] => {
  const when = (row: string) => (only ? `when ${only.replace('row', row)}` : '')
  return [
    `create trigger ${table}_${column} after insert on ${table} ${when('new')} begin ${addRow(column)}; end`,
    `create trigger ${table}_${column}_less after delete on ${table} ${when('old')} begin ${subtractRow(column)}; end`,
  ]
}

const postgresRowTriggers = ({ table, column, only }: Counted): string[] => {
  const when = (row: string) => (only ? `when (${only.replace('row', row)})` : '')
  return [
    `create function count_${column}() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' then ${subtractRow(column)}; else ${addRow(column)}; end if;
       return null;
     end $$`,
    `create trigger ${table}_${column} after insert on ${table} for each row ${when('new')}
       execute function count_${column}()`,
    `create trigger ${table}_${column}_less after delete on ${table} for each row ${when('old')}
       execute function count_${column}()`,
  ]
}
