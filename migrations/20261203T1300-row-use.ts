import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** How many contacts and notes an organization keeps, counted by the database in the statement that adds or deletes one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('row_use')
    .addColumn('org_id', 'text', c => c.primaryKey().references('organization.id').onDelete('cascade'))
    .addColumn('contacts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('notes', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await sql`insert into row_use (org_id, contacts, notes)
    select id,
      (select count(*) from contact where contact.org_id = organization.id),
      (select count(*) from message where message.org_id = organization.id and message.type = 'note')
    from organization`.execute(db)
  for (const one of counted)
    for (const statement of isPostgres ? postgresTriggers(one) : sqliteTriggers(one))
      await sql.raw(statement).execute(db)
}

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

const add = (column: string) =>
  `insert into row_use (org_id, ${column}) values (new.org_id, 1)
     on conflict (org_id) do update set ${column} = row_use.${column} + 1`
// An organization that is being deleted has no row any more, and must not get one.
const subtract = (column: string) => `update row_use set ${column} = ${column} - 1 where org_id = old.org_id`

const sqliteTriggers = ({ table, column, only }: Counted): string[] => {
  const when = (row: string) => (only ? `when ${only.replace('row', row)}` : '')
  return [
    `create trigger ${table}_${column} after insert on ${table} ${when('new')} begin ${add(column)}; end`,
    `create trigger ${table}_${column}_less after delete on ${table} ${when('old')} begin ${subtract(column)}; end`,
  ]
}

const postgresTriggers = ({ table, column, only }: Counted): string[] => {
  const when = (row: string) => (only ? `when (${only.replace('row', row)})` : '')
  return [
    `create function count_${column}() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' then ${subtract(column)}; else ${add(column)}; end if;
       return null;
     end $$`,
    `create trigger ${table}_${column} after insert on ${table} for each row ${when('new')}
       execute function count_${column}()`,
    `create trigger ${table}_${column}_less after delete on ${table} for each row ${when('old')}
       execute function count_${column}()`,
  ]
}
