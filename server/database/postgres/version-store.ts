import { CompiledQuery } from 'kysely'
import type { Db } from '../../db.ts'
import { sharedRun } from '../../shared-run.ts'

const query = CompiledQuery.raw('select pg_current_snapshot()::text as version')

/**
 * Which of all transactions are over, as the server sees it. The same twice: nobody has committed between, whichever
 * process it is.
 */
async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await db.executeQuery<{ version: string }>(query)
  return rows[0]?.version
}

/** The same for many who ask at once. @see sharedRun */
export const sharedVersion = (db: Db): (() => Promise<string | undefined>) => sharedRun(() => readVersion(db)).ask
