import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** The one schema that a connection of ours names things in, there or not. */
export async function schemaOf(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_setting('search_path') as name`.execute(db)
  return rows[0]?.name as string
}

/** Makes the schema of this connection if it is not there; somebody who starts at the same time waits for it. */
export async function ensureSchema(db: Db): Promise<void> {
  const schema = await schemaOf(db)
  await db.transaction().execute(async trx => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(trx)
    // Not by `if not exists`: that asks for the right to make it even where it is.
    if (!rows.length) await sql`create schema ${sql.id(schema)}`.execute(trx)
  })
}

/** Removes the schema of this connection and everything in it. */
export async function dropSchema(db: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(await schemaOf(db))} cascade`.execute(db)
}
