import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'

export type PlainRow = Readonly<Record<string, string | number | null>>

/** Inserts `count` equal rows, except for these columns, which count up from `from`. */
export async function fillTable(
  databases: Databases,
  table: keyof Database,
  { like, counted, count, from = 0 }: { like: PlainRow; counted: readonly string[]; count: number; from?: number },
): Promise<void> {
  const text = (column: string) => (typeof like[column] === 'number' ? sql`n.i` : sql`'f' || n.i`)
  const columns = Object.keys(like)
  const values = columns.map(column =>
    counted.includes(column) ? text(column) : sql`${sql.lit(like[column] ?? null)}`,
  )
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map(column => sql.ref(column)))})
    with recursive n(i) as (select ${sql.lit(from + 1)} union all select i + 1 from n where i < ${sql.lit(from + count)})
    select ${sql.join(values)} from n`.execute(databases.write)
}
