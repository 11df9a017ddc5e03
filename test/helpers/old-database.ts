import { readdirSync } from 'node:fs'
import { Migrator } from 'kysely/migration'
import type { Test } from 'tap'
import type { Databases } from '#server/platform/db/db.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openSnapshot } from '#server/platform/db/sqlite/open.ts'
import { isOnSqlite } from './engine.ts'
import { postgresServer } from './postgres.ts'
import { openUrl } from './postgres-db.ts'

const emptyDatabases = async (): Promise<Databases> => {
  if (isOnSqlite) return openSnapshot()
  const server = await postgresServer()
  return openUrl(server.urlOf(await server.createDatabase()))
}

/**
 * A database as an older version left it: every migration up to a name, not included. `insert` takes rows of tables that
 * may be gone today, as they are; `upgrade` runs the rest.
 */
export async function anOldDatabase(t: Test, before: string) {
  const databases = await emptyDatabases()
  t.teardown(() => databases.close())
  const folder = new URL('../../migrations/', import.meta.url)
  const names = readdirSync(folder)
    .filter(name => name.endsWith('.ts') && name < before)
    .sort()
  const getMigrations = async () =>
    Object.fromEntries(
      await Promise.all(
        names.map(async name => [name.slice(0, -3), await import(new URL(name, folder).href)] as const),
      ),
    )
  const { error } = await new Migrator({ db: databases.write, provider: { getMigrations } }).migrateToLatest()
  if (error) throw error
  return {
    databases,
    async insert(table: string, row: Readonly<Record<string, unknown>>) {
      await databases.write
        .insertInto(table as 'job')
        .values(row as never)
        .execute()
    },
    upgrade: () => migrate(databases.write),
    jobs: () => databases.read.selectFrom('job').selectAll().orderBy('seq').execute(),
  }
}
