import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import type { Db } from './database.ts'
import { makeSchema, schemaIn } from './schema.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

const loadMigrations = async (): Promise<Record<string, Migration>> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.ts')).sort()
  const entries = names.map(
    async name => [name.slice(0, -3), (await import(pathToFileURL(join(folder, name)).href)) as Migration] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

const migratorOf = async (db: Db) => {
  const schema = await schemaIn(db)
  return new Migrator({
    db,
    provider: { getMigrations: loadMigrations },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
}

/** Names of the tables that are there, the library's own among them. */
export async function listTableNames(db: Db): Promise<Set<string>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const schema = await schemaIn(db)
  return new Set(tables.filter(table => table.schema === schema).map(({ name }) => name))
}

/** Names of the migrations that have not run; empty means current. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await (await migratorOf(db)).getMigrations()
  return all.filter(migration => !migration.executedAt).map(migration => migration.name)
}

/** Names of migrations that ran and that this version does not know: the database is a newer one's. */
async function unknownMigrations(db: Db): Promise<string[]> {
  if (!(await listTableNames(db)).has(DEFAULT_MIGRATION_TABLE)) return []
  const known = await loadMigrations()
  const ran = await db
    .selectFrom(DEFAULT_MIGRATION_TABLE as never)
    .select('name' as never)
    .orderBy('name' as never)
    .execute()
  return ran.map(row => (row as { name: string }).name).filter(name => !(name in known))
}

/** @throws InstallationFault for the database of a newer version. */
export async function refuseNewerSchema(db: Db, what = 'The database'): Promise<void> {
  const unknown = await unknownMigrations(db)
  if (unknown.length)
    throw new InstallationFault(
      `${what} is of a newer Recado (${unknown.join(', ')})`,
      'run that version, or bring back a backup of this one with npm run restore -- FILE --force',
    )
}

/**
 * Brings the schema up to date; forward only. Answers the names that ran.
 * @throws InstallationFault for a newer version's database; the failed migration's error, with its name, and what ran before it stays.
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseNewerSchema(db)
  await makeSchema(db)
  const { error, results = [] } = await (await migratorOf(db)).migrateToLatest()
  if (error) {
    const failed = results.find(result => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed`, { cause: error })
  }
  return results.filter(result => result.status === 'Success').map(result => result.migrationName)
}
