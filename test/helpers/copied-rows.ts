import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows per statement: below the limit of values, for any number of columns. */
const atOnce = 100

/** Inserts `count` copies of an organization's first row of a table, each with its changes, on either engine. */
export async function copyFirstRow(
  db: Db,
  table: string,
  orgId: string,
  { count, change }: { count: number; change(i: number): Row },
): Promise<void> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where org_id = ${orgId} limit 1`.execute(db)
  const copies = Array.from({ length: count }, (_, i) => ({ ...rows[0], ...change(i) }))
  for (let i = 0; i < count; i += atOnce)
    await db
      .insertInto(table as 'contact')
      .values(copies.slice(i, i + atOnce) as never)
      .execute()
}
