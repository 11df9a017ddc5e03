/** Brings the database of an earlier build, whose schema is another one, into this build's by the names of tables and columns. */
import type { Database } from 'better-sqlite3'
import { migrate } from '#server/platform/db/migrate.ts'
import * as sqlite from '#server/platform/db/sqlite/copy-store.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { copyTables, type Table, type TableReader } from '#server/platform/db/table-copy.ts'
import { Refusal } from './screen.ts'

export interface CopiedByName {
  /** Rows by table; tables without rows are not in it. */
  readonly rows: ReadonlyMap<string, number>
  /** Rows of tables that this build does not have. */
  readonly leftOutTables: ReadonlyMap<string, number>
  /** `table.column` of columns that this build does not have. */
  readonly leftOutColumns: readonly string[]
}

const countRows = (db: Database, table: string): number =>
  db
    .prepare(`select count(*) from "${table.replaceAll('"', '""')}"`)
    .pluck()
    .get() as number

/** Columns that each row must have a value for, and that no default gives one. */
const listDemandedColumns = (db: Database, table: string): string[] =>
  db
    .prepare('select name from pragma_table_info(?) where ("notnull" or pk) and dflt_value is null')
    .pluck()
    .all(table) as string[]

/**
 * The columns of a table that both builds have. Undefined: there is nothing to copy. @throws Refusal if rows would lack
 * a column that this build requires
 */
const matchTable = (from: Database, to: Database, table: Table, old: Table | undefined): Table | undefined => {
  if (!old || !countRows(from, table.name)) return undefined
  const known = new Set(old.columns.map(({ name }) => name))
  const missing = listDemandedColumns(to, table.name).filter(name => !known.has(name))
  if (missing.length)
    throw new Refusal(
      `The backup is of too early a build: ${table.name} has no ${missing.join(', ')}. Start the last build before this one on it once, and back it up with that.`,
    )
  const columns = table.columns.filter(({ name }) => known.has(name))
  const keyNames = table.key.map(i => table.columns[i]?.name)
  return { name: table.name, columns, key: keyNames.map(name => columns.findIndex(column => column.name === name)) }
}

/**
 * Makes a new database file of this build's schema with the rows of an earlier build's. Columns that are new get their
 * default. Search reads the messages again at the next start.
 * @throws Refusal when the backup lacks what this build demands.
 */
export async function copyByName(from: Database, path: string): Promise<CopiedByName> {
  const databases = openDatabase(path)
  try {
    const to = databases.raw.write
    sqlite.beginCopy(to, 'an earlier build')
    await migrate(databases.write)
    const oldTables = new Map(sqlite.listTables(from).map(table => [table.name, table]))
    const newTables = sqlite.listTables(to)
    const common = newTables.flatMap(table => matchTable(from, to, table, oldTables.get(table.name)) ?? [])
    const newNames = new Map(newTables.map(({ name, columns }) => [name, new Set(columns.map(column => column.name))]))
    const gone = [...oldTables.keys()].filter(name => !newNames.has(name))
    const reader: TableReader = {
      ...sqlite.createSqliteReader(from),
      async lastNumbers() {
        const numbers = await sqlite.createSqliteReader(from).lastNumbers()
        return new Map([...numbers].filter(([name]) => newNames.has(name)))
      },
    }
    const rows = new Map<string, number>()
    await copyTables(common, reader, sqlite.createSqliteWriter(to), (table, count) => rows.set(table, count))
    sqlite.endCopy(to)
    return {
      rows,
      leftOutTables: new Map(gone.map(name => [name, countRows(from, name)])),
      leftOutColumns: common.flatMap(({ name }) =>
        (oldTables.get(name)?.columns ?? [])
          .filter(column => !newNames.get(name)?.has(column.name))
          .map(column => `${name}.${column.name}`),
      ),
    }
  } finally {
    await databases.close()
  }
}

/** Lines for the person who restores. */
export function describeCopy({ rows, leftOutTables, leftOutColumns }: CopiedByName): string[] {
  const total = [...rows.values()].reduce((sum, count) => sum + count, 0)
  const lost = [...leftOutTables].filter(([, count]) => count > 0)
  return [
    `The backup is of an earlier build: ${total} rows of ${rows.size} tables were copied by name.`,
    ...[...rows].map(([table, count]) => `  ${table}: ${count}`),
    ...lost.map(([table, count]) => `Left out, as this build has no table ${table}: ${count} rows.`),
    ...(leftOutColumns.length ? [`Left out, as this build has no such column: ${leftOutColumns.join(', ')}.`] : []),
  ]
}
