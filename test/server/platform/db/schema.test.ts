import { sql } from 'kysely'
import t from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { freshPostgres } from '#test/helpers/postgres-db.ts'

/** SQLite's tables of the word indexes, and PostgreSQL's table for detecting changes. */
const isEnginesOwn = (name: string) => /^(?:message|contact)_index/.test(name)

/** PostgreSQL's names of SQLite's types. */
const types: Readonly<Record<string, string>> = { TEXT: 'text', INTEGER: 'int8', REAL: 'float8', BLOB: 'bytea' }

/** By `table.column`: type and nullability. A key is never null, which SQLite states only for some. */
const columnsOf = async ({ write }: Databases, keys: ReadonlySet<string>): Promise<Record<string, string>> => {
  const tables = await write.introspection.getTables()
  const columns = tables
    .filter(table => !isEnginesOwn(table.name))
    .flatMap(table =>
      table.columns.map(column => {
        const name = `${table.name}.${column.name}`
        const type = types[column.dataType.toUpperCase()] ?? column.dataType
        return [name, column.isNullable && !keys.has(name) ? `${type} or null` : type] as const
      }),
    )
  return Object.fromEntries(columns)
}

t.test('the migrations make the same tables and indexes on both engines', async t => {
  const [sqlite, postgres] = [await freshDatabases(), await freshPostgres()]
  t.teardown(async () => {
    await sqlite.close()
    await postgres.close()
  })
  const keys = await sql<{ name: string }>`select m.name || '.' || c.name as name
    from sqlite_schema as m join pragma_table_info(m.name) as c on c.pk > 0 where m.type = 'table'`.execute(sqlite.read)
  const keyNames = new Set(keys.rows.map(row => row.name))
  const here = await columnsOf(sqlite, keyNames)
  t.ok(Object.keys(here).length > 300, 'there are tables')
  t.strictSame(await columnsOf(postgres, keyNames), here)

  const indexesHere = await sql<{ name: string }>`select name from sqlite_schema
    where type in ('index', 'trigger') and sql is not null order by name`.execute(sqlite.read)
  const indexesThere = await sql<{ name: string }>`select name from (
      select indexname as name from pg_indexes where schemaname = 'public'
      union select tgname from pg_trigger where not tgisinternal) as names
    order by name collate "C"`.execute(postgres.read)
  const found = new Set(indexesThere.rows.map(row => row.name))
  t.same(
    // There it is an ordinary index.
    indexesHere.rows.map(row => row.name).filter(name => !found.has(name) && !name.startsWith('contact_index')),
    [],
    'every index and trigger exists with its name',
  )
})
