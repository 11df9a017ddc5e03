import { sql } from 'kysely'
import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'

const statements = {
  sqlite: sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  postgres: sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`,
}

/** Size of the whole database on its disk, without SQLite's log of the last commits. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await statements[engineOf(db)].execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
