import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './db.ts'

const folder = fileURLToPath(new URL('../migrations/', import.meta.url))

const loadMigrations = async (): Promise<Record<string, Migration>> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts')).sort()
  const entries = names.map(
    async name => [name.slice(0, -3), (await import(pathToFileURL(join(folder, name)).href)) as Migration] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

const migratorOf = (db: Db) => new Migrator({ db, provider: { getMigrations: loadMigrations } })

/** Names of the migrations that have not run; empty means current. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migratorOf(db).getMigrations()
  return all.filter(migration => !migration.executedAt).map(migration => migration.name)
}

/**
 * Brings the schema up to date; forward only. Answers the names that ran.
 * @throws the failed migration's error, with its name; what ran before it stays.
 */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest()
  if (error) {
    const failed = results.find(result => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed`, { cause: error })
  }
  return results.filter(result => result.status === 'Success').map(result => result.migrationName)
}
