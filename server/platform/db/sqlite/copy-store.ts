import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database as SqliteDatabase } from 'better-sqlite3'
import {
  type Cell,
  type Cells,
  type ColumnType,
  type Progress,
  sizeOf,
  type Table,
  type TableReader,
  type TableWriter,
} from '../table-copy.ts'
import { analyze } from './analyze.ts'

/** Rebuilt at the target by triggers and by the search indexer. */
const madeAnew = [
  'file_use',
  'row_use',
  'message_index',
  'contact_index',
  'search_pending',
  'search_place',
  'search_outline',
  'conversation_segment_pack',
]
const isCopied = (name: string) =>
  !name.startsWith('sqlite_') &&
  name !== progressTable &&
  !name.startsWith('kysely_migration') &&
  !madeAnew.some(one => name.startsWith(one))

const progressTable = 'move_progress'
const rowsPerBatch = 1_000
const bytesPerBatch = 2 ** 19

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const readTable = (db: SqliteDatabase, name: string): Table => {
  const columns = db
    .prepare('select name, lower(type) as type, pk from pragma_table_info(?) order by name')
    .all(name) as {
    name: string
    type: ColumnType
    pk: number
  }[]
  const key = columns
    .map(({ pk }, i) => ({ pk, i }))
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ i }) => i)
  if (!key.length) throw new Error(`${name} has no primary key to copy it by`)
  return { name, columns: columns.map(({ name, type }) => ({ name, type })), key }
}

/** The tables to copy, referenced ones first. Both engines have the same, so the structure is read here for both. */
export function listTables(db: SqliteDatabase): Table[] {
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .pluck()
    .all() as string[]
  const parents = db.prepare('select "table" from pragma_foreign_key_list(?)').pluck()
  const sorted = new Set<string>()
  const visit = (name: string) => {
    if (sorted.has(name)) return
    for (const parent of parents.all(name) as string[]) if (parent !== name) visit(parent)
    sorted.add(name)
  }
  for (const name of names.filter(isCopied)) visit(name)
  return [...sorted].map(name => readTable(db, name))
}

/** Reads what one connection sees. For one point in time, begin a transaction on it. */
export const createSqliteReader = (db: SqliteDatabase): TableReader => ({
  count: async table =>
    db
      .prepare(`select count(*) from ${quoted(table.name)}`)
      .pluck()
      .get() as number,
  async *read(table, after) {
    const columns = table.columns.map(({ name }) => quoted(name))
    const key = table.key.map(i => columns[i]).join(', ')
    const behind = after ? `where (${key}) > (${after.map(() => '?').join(', ')})` : ''
    const statement = db.prepare(`select ${columns.join(', ')} from ${quoted(table.name)} ${behind} order by ${key}`)
    let rows: Cells[] = []
    let size = 0
    for (const row of statement.raw().iterate(...(after ?? [])) as IterableIterator<Cells>) {
      rows.push(row)
      size += sizeOf(row)
      if (rows.length < rowsPerBatch && size < bytesPerBatch) continue
      yield rows
      rows = []
      size = 0
      // A caller without other awaits would block the event loop for a whole table. Writing to the other engine
      // normally yields, and keeps memory small.
      await nextTurn()
    }
    if (rows.length) yield rows
  },
  async lastNumbers() {
    const rows = db.prepare('select name, seq from sqlite_sequence where seq > 0').raw().all() as [string, number][]
    return new Map(rows.filter(([name]) => isCopied(name)))
  },
})

/** Progress is stored with the rows, so that a later run continues. */
export function createSqliteWriter(db: SqliteDatabase): TableWriter {
  const save = db.prepare(
    `insert into ${progressTable} (table_name, last_key, row_count, is_done) values (?, ?, ?, ?)
      on conflict (table_name) do update set last_key = excluded.last_key, row_count = excluded.row_count, is_done = excluded.is_done`,
  )
  const write = db.transaction((table: Table, rows: readonly Cells[], progress: Progress, isFirst: boolean) => {
    if (isFirst) db.exec(`delete from ${quoted(table.name)}`)
    if (rows.length) {
      const columns = table.columns.map(({ name }) => quoted(name))
      const insert = db.prepare(
        `insert into ${quoted(table.name)} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) insert.run(...row)
    }
    save.run(table.name, progress.after ? JSON.stringify(progress.after) : null, progress.rows, progress.isDone ? 1 : 0)
  })
  return {
    async progress() {
      const rows = db
        .prepare(`select table_name, last_key, row_count, is_done from ${progressTable} where table_name <> ''`)
        .raw()
        .all() as [string, string | null, number, number][]
      return new Map(
        rows.map(([name, key, count, isDone]) => [
          name,
          { after: key === null ? undefined : (JSON.parse(key) as Cell[]), rows: count, isDone: isDone === 1 },
        ]),
      )
    },
    write: async (table, rows, progress, { isFirst }) => write.immediate(table, rows, progress, isFirst),
    async setLastNumbers(numbers) {
      const update = db.prepare('update sqlite_sequence set seq = ? where name = ?')
      const insert = db.prepare('insert into sqlite_sequence (seq, name) values (?, ?)')
      for (const [name, seq] of numbers) if (!update.run(seq, name).changes) insert.run(seq, name)
    },
  }
}

/** The source that a file is being filled from; undefined: it is not being filled. */
export function findCopySource(db: SqliteDatabase): string | undefined {
  const isThere = db.prepare('select 1 from sqlite_schema where name = ?').get(progressTable)
  if (!isThere) return undefined
  return db.prepare(`select last_key from ${progressTable} where table_name = ''`).pluck().get() as string | undefined
}

/**
 * Marks the file as being filled. Writes do not wait for the disk, because rows lost by a power failure are copied
 * again.
 */
export function beginCopy(db: SqliteDatabase, source: string): void {
  db.pragma('foreign_keys = OFF')
  db.pragma('synchronous = NORMAL')
  db.exec(`create table if not exists ${progressTable}
    (table_name text primary key, last_key text, row_count integer not null, is_done integer not null) strict`)
  db.prepare(`insert into ${progressTable} values ('', ?, 0, 0) on conflict do nothing`).run(source)
}

/** @throws Error if rows refer to missing rows */
export function endCopy(db: SqliteDatabase): void {
  const orphans = db.pragma('foreign_key_check') as unknown[]
  if (orphans.length) throw new Error(`${orphans.length} rows refer to rows that are not there`)
  db.exec(`drop table ${progressTable}`)
  analyze(db)
  db.pragma('wal_checkpoint(TRUNCATE)')
}
