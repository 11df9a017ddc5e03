import type { Database as SqliteDatabase } from 'better-sqlite3'

export type Row = Record<string, unknown>

export const each = (count: number, make: (i: number) => Row): Row[] => Array.from({ length: count }, (_, i) => make(i))

/** Inserts many rows directly, for tests of size. */
export const rowsInto = (db: SqliteDatabase) => {
  const insert = (table: string, rows: readonly Row[]) =>
    db.transaction(() => {
      const columns = Object.keys(rows[0] as Row)
      const names = columns.map(name => `"${name}"`).join(', ')
      const statement = db.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
      for (const row of rows) statement.run(Object.values(row))
    })()
  /** Copies a row `count` times, each with its own changes. */
  const copy = (table: string, where: string, count: number, change: (i: number) => Row) => {
    const row = db.prepare(`select * from "${table}" where ${where} limit 1`).get() as Row | undefined
    if (!row) throw new Error(`No row of ${table} fits ${where}`)
    const { seq: _seq, ...rest } = row
    insert(
      table,
      each(count, i => ({ ...rest, ...change(i) })),
    )
  }
  return { insert, copy }
}
