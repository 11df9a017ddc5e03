import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The schema of this connection, existing or not. */
export async function schemaOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_setting('search_path') as name`.execute(db)
  return rows[0]?.name as string
}

/** Creates the connection's schema if missing. Concurrent starts wait for one another. */
export async function ensureSchema(db: Db): Promise<void> {
  const schema = await schemaOf(db)
  await db.transaction().execute(async trx => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(trx)
    // `if not exists` would require the privilege even if the schema exists.
    if (!rows.length) await sql`create schema ${sql.id(schema)}`.execute(trx)
  })
}

/** Drops the connection's schema and everything in it. */
export async function dropSchema(db: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(await schemaOf(db))} cascade`.execute(db)
}
