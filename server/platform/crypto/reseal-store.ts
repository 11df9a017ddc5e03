import { sql } from 'kysely'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { SealedColumn, Vault } from './secrets.ts'

const rowsAtOnce = 100

/**
 * Seals values again that were sealed under a secret of before. Those that open by none stay as they are.
 * @returns how many are sealed under the secret of today now, and how many do not open
 */
export async function resealColumn(
  databases: Databases,
  vault: Vault,
  { table, key, column, placeOf }: SealedColumn,
): Promise<{ resealed: number; unreadable: number }> {
  const keys = key.map(name => sql.ref(name))
  const value = sql.ref(column)
  let resealed = 0
  let unreadable = 0
  for (;;) {
    // What does not open is found again each time, and stands before the rest.
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(keys)}, ${value} as sealed_value from ${sql.table(table)}
      where ${value} is not null and ${value} not like ${`${vault.currentPrefix}%`}
      order by ${sql.join(keys)} limit ${sql.lit(rowsAtOnce)} offset ${sql.lit(unreadable)}`.execute(databases.read)
    for (const row of rows) {
      const ids = key.map(name => row[name] as string)
      const before = row.sealed_value as string
      let after: string
      try {
        after = vault.seal(vault.open(before, placeOf(...ids)), placeOf(...ids))
      } catch {
        unreadable += 1
        continue
      }
      const isRow = sql.join(
        key.map((name, at) => sql`${sql.ref(name)} = ${ids[at]}`),
        sql` and `,
      )
      // Whoever has written it meanwhile has sealed it under the secret of today.
      await inTransaction(databases, trx =>
        sql`update ${sql.table(table)} set ${value} = ${after} where ${isRow} and ${value} = ${before}`.execute(trx),
      )
      resealed += 1
    }
    if (rows.length < rowsAtOnce) return { resealed, unreadable }
  }
}
