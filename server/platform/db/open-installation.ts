import { mkdirSync } from 'node:fs'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Databases } from './db.ts'
import { migrate } from './migrate.ts'
import type { PostgresAddress } from './postgres/address.ts'
import { openDatabase } from './sqlite/open.ts'
import { lockInstallation } from './sqlite/process-lock.ts'

/** The database that a process serves from. */
interface Installation {
  readonly databases: Databases
  /** Runs pending migrations; returns their names. @see migrate */
  migrate(): Promise<string[]>
  /** Releases the lock for another process. Call it last. */
  release(): void
}

const openOnPostgres = async (address: PostgresAddress, log: Log): Promise<Omit<Installation, 'release'>> => {
  // Loaded on demand: a SQLite installation starts without it.
  const { openPool, openPostgres } = await import('./postgres/open.ts')
  const { examinePostgres } = await import('./postgres/examine.ts')
  const onLoss = (error: Error) => log.warn({ err: error }, 'a connection to the database was lost')
  const databases = openPostgres(address, { onLoss })
  await examinePostgres(databases.read, address)
  return {
    databases,
    async migrate() {
      // No time limit: an index of a large table may take long.
      const untimed = openPool({ ...address, statementTimeoutMs: 0 }, { max: 1, isReadOnly: false, onLoss })
      try {
        return await migrate(untimed)
      } finally {
        await untimed.destroy()
      }
    },
  }
}

/**
 * Opens the configured database for the life of this process.
 * @throws InstallationFault for what a person can fix
 */
export async function openInstallation(
  config: Config,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Installation> {
  if (config.postgres) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    // No lock: several processes may share database and folder.
    return { ...(await openOnPostgres(config.postgres, log)), release: () => undefined }
  }
  const { release } = lockInstallation(config, clock)
  const databases = openDatabase(config.databasePath)
  return { databases, migrate: () => migrate(databases.write), release }
}
