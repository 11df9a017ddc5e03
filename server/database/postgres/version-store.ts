import { sql } from 'kysely'
import type { Db } from '../../db.ts'

/**
 * Which of all transactions are over, as the server sees it. The same twice: nobody has committed between, whichever
 * process it is.
 */
export async function readVersion(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`select pg_current_snapshot()::text as version`.execute(db)
  return rows[0]?.version
}
