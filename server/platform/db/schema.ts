import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { dropSchema as dropSchemaOf, ensureSchema, schemaOf } from './postgres/schema-store.ts'

/**
 * The schema of our tables, on engines with schemas; others may contain other installations, or what a restore set
 * aside.
 */
export const schemaIn = async (db: Db): Promise<string | undefined> =>
  engineOf(db) === 'postgres' ? await schemaOf(db) : undefined

/** Creates the schema, on engines with schemas. */
export const makeSchema = async (db: Db): Promise<void> => {
  if (engineOf(db) === 'postgres') await ensureSchema(db)
}

/** Drops the schema with all its contents, on engines with schemas. */
export const dropSchema = async (db: Db): Promise<void> => {
  if (engineOf(db) === 'postgres') await dropSchemaOf(db)
}
