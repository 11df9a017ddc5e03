import { CompiledQuery } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { sharedRun } from '#server/platform/work/shared-run.ts'
import type { DataVersion } from '../db.ts'

/** With a value, as the server keeps plans of such statements. */
const query = CompiledQuery.raw(
  `select transaction || ' ' || pg_current_snapshot() as version from access_change where id = $1`,
  [1],
)

/**
 * Which transaction last changed who may ask, and which of all transactions are over, as the server sees it. The same
 * twice: nobody has committed between, whichever process it is.
 */
async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ version: string }>(query)
  return rows[0]?.version
}

/** The same for many who ask at once. @see sharedRun */
export const sharedVersion = (db: Db): (() => Promise<string | undefined>) => sharedRun(() => readVersion(db)).ask

/** @see Databases.accessOf */
export const accessOf = (version: DataVersion): DataVersion => version && String(version).split(' ', 1)[0]
