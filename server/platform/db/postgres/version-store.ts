import { CompiledQuery } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { sharedRun } from '#server/platform/work/shared-run.ts'
import type { DataVersion } from '../db.ts'

/** With a parameter, because the server keeps plans only for such statements. */
const query = CompiledQuery.raw(
  `select transaction || ' ' || pg_current_snapshot() as version from access_change where id = $1`,
  [1],
)

/**
 * The transaction that last changed access, and the server's snapshot of finished transactions. If both are the same,
 * no process has committed in between.
 */
async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ version: string }>(query)
  return rows[0]?.version
}

/** Shares one query between concurrent callers. @see sharedRun */
export const sharedVersion = (db: Db): (() => Promise<string | undefined>) => sharedRun(() => readVersion(db)).ask

/** @see Databases.accessOf */
export const accessOf = (version: DataVersion): DataVersion => version && String(version).split(' ', 1)[0]
