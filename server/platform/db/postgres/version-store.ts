import { CompiledQuery } from 'kysely'
import { sharedRun } from '#server/platform/work/shared-run.ts'
import type { Db } from '../database.ts'

/** With a parameter, because the server keeps plans only for such statements. */
const query = CompiledQuery.raw(`select pg_current_snapshot()::text as version where $1 = 1`, [1])

/** The server's snapshot of finished transactions. If it is the same twice, no process has committed in between. */
async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ version: string }>(query)
  return rows[0]?.version
}

/** Shares one query between concurrent callers. @see sharedRun */
export const sharedVersion = (db: Db): (() => Promise<string | undefined>) => sharedRun(() => readVersion(db)).ask
