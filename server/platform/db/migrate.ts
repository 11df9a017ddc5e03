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

/** Names of all tables, those of Kysely included. */
export async function listTableNames(db: Db): Promise<Set<string>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const schema = await schemaIn(db)
  return new Set(tables.filter(table => table.schema === schema).map(({ name }) => name))
}

/** Names of pending migrations; empty: the schema is current. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await (await migratorOf(db)).getMigrations()
  return all.filter(migration => !migration.executedAt).map(migration => migration.name)
}

/** Builds before the baseline named their migrations by date and time. */
const earlierBuildName = /^\d{8}T\d{4}-/

export interface UnknownMigrations {
  readonly names: readonly string[]
  /** True if they are of a build before the baseline, otherwise of a newer version. */
  readonly areEarlier: boolean
}

/** Finds the recorded migrations that this version does not have. Undefined: none. */
export async function findUnknownMigrations(recorded: readonly string[]): Promise<UnknownMigrations | undefined> {
  const known = await loadMigrations()
  const names = recorded.filter(name => !(name in known))
  return names.length ? { names, areEarlier: names.every(name => earlierBuildName.test(name)) } : undefined
}

const listRecordedMigrations = async (db: Db): Promise<string[]> => {
  if (!(await listTableNames(db)).has(DEFAULT_MIGRATION_TABLE)) return []
  const ran = await db
    .selectFrom(DEFAULT_MIGRATION_TABLE as never)
    .select('name' as never)
    .orderBy('name' as never)
    .execute()
  return ran.map(row => (row as { name: string }).name)
}

/** @throws InstallationFault for the database of a newer version, or of a build before the baseline */
export async function refuseUnknownMigrations(db: Db, what = 'The database'): Promise<void> {
  const unknown = await findUnknownMigrations(await listRecordedMigrations(db))
  if (!unknown) return
  throw unknown.areEarlier
    ? new InstallationFault(
        `${what} is of an earlier build of Recado`,
        'back it up with that build (npm run backup -- FILE), then bring it into this one with npm run restore -- FILE --force',
      )
    : new InstallationFault(
        `${what} is of a newer Recado (${unknown.names.join(', ')})`,
        'run that version, or bring back a backup of this one with npm run restore -- FILE --force',
      )
}

/**
 * Runs all pending migrations in one commit. Returns their names.
 * @throws InstallationFault for another version's database; the error of the failed migration, with its name
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseUnknownMigrations(db)
  await makeSchema(db)
  const { error, results = [] } = await (await migratorOf(db)).migrateToLatest()
  if (error) {
    const failed = results.find(result => result.status === 'Error')?.migrationName
    throw new Error(`Migration ${failed ?? ''} failed`, { cause: error })
  }
  return results.filter(result => result.status === 'Success').map(result => result.migrationName)
}
