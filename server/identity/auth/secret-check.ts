import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listTableNames } from '#server/platform/db/migrate.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'

export interface SecretCheckParts {
  config: Pick<Config, 'authSecret' | 'dataDir' | 'databaseName'>
  db: Db
  /** Looks for rows that are encrypted with the installation's secret. Called only if the database has a schema. */
  hasSealedRows(db: Db): Promise<boolean>
}

/**
 * Secret and database belong together. A new secret would make stored tokens unreadable and sign everybody out; a new
 * database beside an old secret means that the data is somewhere else. Call it before migrations.
 * @throws InstallationFault if one of the two is missing
 */
export async function checkSecretBelongs({ config, db, hasSealedRows }: SecretCheckParts): Promise<void> {
  if (config.authSecret) return
  const path = join(config.dataDir, 'secret')
  const tables = await listTableNames(db)
  const hasSecret = existsSync(path)
  if (hasSecret && !tables.has('user'))
    throw new InstallationFault(
      `${config.databaseName} is empty, and ${path} belongs to a database with data`,
      `set DATA_DIR or DATABASE_URL to where the data lies, or bring a backup back with npm run restore -- FILE --force; to begin anew, move ${path} away`,
    )
  if (hasSecret || !tables.has('push_key') || !(await hasSealedRows(db))) return
  throw new InstallationFault(
    `${path} is missing, and tokens in ${config.databaseName} are sealed with it`,
    `put it back (every backup has it), or set AUTH_SECRET to the secret they were sealed with; if it is lost, make a new one with: (umask 077; openssl rand -base64 48 > ${path}), and everybody signs in anew and connects their WhatsApp number again`,
  )
}
