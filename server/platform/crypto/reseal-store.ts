import { sql } from 'kysely'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EncryptedColumn, Vault } from './secrets.ts'

const rowsAtOnce = 100

/**
 * Encrypts values again that were encrypted with an earlier secret. Values that no secret decrypts are left as they are.
 * @returns how many were encrypted again, and how many could not be decrypted
 */
export async function resealColumn(
  databases: Databases,
  vault: Vault,
  { table, key, column, contextOf }: EncryptedColumn,
): Promise<{ resealed: number; unreadable: number }> {
  const keys = key.map(name => sql.ref(name))
  const value = sql.ref(column)
  let resealed = 0
  let unreadable = 0
  for (;;) {
    // Values that cannot be decrypted are found again each time, before the rest.
    const { rows } = await sql<Record<string, string>>`
      select ${sql.join(keys)}, ${value} as sealed_value from ${sql.table(table)}
      where ${value} is not null and ${value} not like ${`${vault.currentPrefix}%`}
      order by ${sql.join(keys)} limit ${sql.lit(rowsAtOnce)} offset ${sql.lit(unreadable)}`.execute(databases.read)
    for (const row of rows) {
      const ids = key.map(name => row[name] as string)
      const before = row.sealed_value as string
      let after: string
      try {
        after = vault.encrypt(vault.decrypt(before, contextOf(...ids)), contextOf(...ids))
      } catch {
        unreadable += 1
        continue
      }
      const isRow = sql.join(
        key.map((name, at) => sql`${sql.ref(name)} = ${ids[at]}`),
        sql` and `,
      )
      // A concurrent write has used the current secret already.
      await inTransaction(databases, trx =>
        sql`update ${sql.table(table)} set ${value} = ${after} where ${isRow} and ${value} = ${before}`.execute(trx),
      )
      resealed += 1
    }
    if (rows.length < rowsAtOnce) return { resealed, unreadable }
  }
}
