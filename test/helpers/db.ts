import { readFile } from 'node:fs/promises'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { freshPostgres } from './postgres-db.ts'

let migrated: Promise<Buffer> | undefined

/** A database file with all migrations. */
export const migratedSnapshot = (): Promise<Buffer> => {
  migrated ??= (async () => {
    // The test runner may have migrated one for the whole run.
    const made = process.env.TEST_SQLITE_TEMPLATE
    if (made) return readFile(made)
    const databases = openSnapshot()
    await migrate(databases.write)
    const snapshot = databases.raw.write.serialize()
    await databases.close()
    return snapshot
  })()
  return migrated
}

/**
 * A new database in memory with all migrations. It is migrated once per process and cloned in a tenth of a
 * millisecond.
 */
export const freshDatabases = async (turn?: LoopTurn): Promise<Databases> =>
  process.env.TEST_ENGINE === 'postgres' ? freshPostgres(turn) : openSnapshot(await migratedSnapshot(), turn)
