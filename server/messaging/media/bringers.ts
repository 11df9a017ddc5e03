import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { broughtTables, forgetBringer, listBringers } from './bringers-store.ts'

const bringersAtOnce = 200
const filesAtOnce = 200

/**
 * Files belong to the organization and stay when their uploader's account or key is deleted. This clears the uploader
 * then. Accounts and keys end in several ways, so it looks for missing ones. Returns the number of files.
 */
export async function forgetBringersWhoLeft(databases: Databases): Promise<number> {
  let forgotten = 0
  for (const table of broughtTables) {
    let after = ''
    await inBatches(bringersAtOnce, async limit => {
      const found = await listBringers(databases.read, table, after, limit)
      after = found.at(-1)?.id ?? after
      for (const { id } of found.filter(({ isThere }) => !isThere))
        forgotten += await inBatches(filesAtOnce, some =>
          inTransaction(databases, trx => forgetBringer(trx, table, id, some)),
        )
      return found.length
    })
  }
  return forgotten
}
