import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * How many bytes of files an organization keeps, counted by the database in the statement that stores or deletes a file;
 * the limit an organization set; and who brought a file that belongs to no message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('file_use')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('bytes', 'integer', c => c.notNull())
    .addColumn('noticed_percent', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('org_settings').addColumn('files_limit_bytes', 'integer').execute()
  await db.schema.alterTable('received_file').addColumn('size', 'integer').execute()
  await db.schema.alterTable('received_file').addColumn('brought_by', 'text').execute()
  await db.schema.alterTable('ready_answer_file').addColumn('brought_by', 'text').execute()
  await db.schema.alterTable('template_media').addColumn('brought_by', 'text').execute()
  // Messages that carried it: when last, and in which conversation; '' stands for several.
  await db.schema.alterTable('template_media').addColumn('sent_at', 'text').execute()
  await db.schema.alterTable('template_media').addColumn('sent_in', 'text').execute()
  await db.schema
    .alterTable('template_media')
    .addColumn('looked_at', 'text', c => c.notNull().defaultTo(''))
    .execute()
  // Whether messages carried those that are there already is not known: they count as sent.
  await sql`update template_media set sent_at = created_at, sent_in = ''`.execute(db)
  await db.schema.createIndex('template_media_looked').on('template_media').columns(['looked_at', 'id']).execute()
  for (const statement of isPostgres ? postgresTriggers : tables.flatMap(sqliteTriggers))
    await sql.raw(statement).execute(db)
  const sizes = tables.map(table => `select org_id, size from ${table} where path is not null`).join(' union all ')
  await sql
    .raw(
      `insert into file_use (org_id, bytes)
       select org_id, coalesce(sum(size), 0) from (${sizes}) kept group by org_id having coalesce(sum(size), 0) > 0`,
    )
    .execute(db)
}

const tables = ['media', 'template_media', 'ready_answer_file', 'received_file']

const bytesOf = (row: string) => `(case when ${row}.path is null then 0 else coalesce(${row}.size, 0) end)`
const add = (bytes: string, org: string) =>
  `insert into file_use (org_id, bytes) values (${org}, ${bytes})
     on conflict (org_id) do update set bytes = file_use.bytes + excluded.bytes`
// An organization that is being deleted has no row any more, and must not get one.
const subtract = (row: string) => `update file_use set bytes = bytes - ${bytesOf(row)} where org_id = ${row}.org_id`

const sqliteTriggers = (table: string): string[] => [
  `create trigger ${table}_is_counted after insert on ${table} when ${bytesOf('new')} > 0
   begin ${add(bytesOf('new'), 'new.org_id')}; end`,
  `create trigger ${table}_is_counted_again after update of path, size on ${table} when ${bytesOf('new')} <> ${bytesOf('old')}
   begin ${add(`${bytesOf('new')} - ${bytesOf('old')}`, 'new.org_id')}; end`,
  `create trigger ${table}_is_counted_no_more after delete on ${table} when ${bytesOf('old')} > 0
   begin ${subtract('old')}; end`,
]

const postgresTriggers = [
  `create function file_is_counted() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' then
       if ${bytesOf('old')} > 0 then ${subtract('old')}; end if;
     elsif tg_op = 'INSERT' then
       if ${bytesOf('new')} > 0 then ${add(bytesOf('new'), 'new.org_id')}; end if;
     elsif ${bytesOf('new')} <> ${bytesOf('old')} then
       ${add(`${bytesOf('new')} - ${bytesOf('old')}`, 'new.org_id')};
     end if;
     return null;
   end $$`,
  ...tables.flatMap(table =>
    [
      ['is_counted', 'insert'],
      ['is_counted_again', 'update of path, size'],
      ['is_counted_no_more', 'delete'],
    ].map(
      ([name, when]) => `create trigger ${table}_${name} after ${when} on ${table}
        for each row execute function file_is_counted()`,
    ),
  ),
]
