import type { Db } from './database.ts'
import { engineOf } from './engine-of.ts'
import { dropSchema as dropSchemaOf, ensureSchema, schemaOf } from './postgres/schema-store.ts'

/** Where an engine with schemas has its tables; others may hold other installations, or what a restore has set aside. */
export const schemaIn = async (db: Db): Promise<string | undefined> =>
  engineOf(db) === 'postgres' ? await schemaOf(db) : undefined

/** Makes that place, where there are such and it is not there. */
export const makeSchema = async (db: Db): Promise<void> => {
  if (engineOf(db) === 'postgres') await ensureSchema(db)
}

/** Removes that place with all that is in it, where there are such. */
export const dropSchema = async (db: Db): Promise<void> => {
  if (engineOf(db) === 'postgres') await dropSchemaOf(db)
}
