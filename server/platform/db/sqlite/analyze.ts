import type { Database as SqliteDatabase } from 'better-sqlite3'

const smallRows = 1_000

/**
 * Collects statistics, and drops those of small tables: SQLite keeps them while a table grows, and would go on scanning
 * it. Without statistics it uses indexes.
 */
export function analyze(db: SqliteDatabase): void {
  db.exec('analyze')
  db.prepare(
    `delete from sqlite_stat1 where tbl in
      (select tbl from sqlite_stat1 group by tbl having max(cast(stat as integer)) < ?)`,
  ).run(smallRows)
  db.exec('analyze sqlite_schema')
}
