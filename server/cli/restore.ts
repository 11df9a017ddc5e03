/** `npm run restore -- FILE`: restores a backup into DATA_DIR. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { findUnknownMigrations, migrate } from '#server/platform/db/migrate.ts'
import { databaseFileFault } from '#server/platform/db/sqlite/faults.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { fileKinds } from '#server/platform/storage/storage.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { type ArchivedFile, BrokenArchive, readArchive } from './archive.ts'
import { type CopiedByName, copyByName, describeCopy } from './earlier-build.ts'
import { personsPath, Refusal, readArguments, runProgram } from './screen.ts'
import { copyToPostgres, countTablesOf, withSchemaAside } from './transfer.ts'

/** A running server keeps its database open, so an exclusive lock fails. */
const refuseRunningServer = (path: string) => {
  if (!existsSync(path)) return
  const db = new Sqlite(path, { timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('begin exclusive; rollback')
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY'))
      throw new Refusal(`A server is running on ${path}. Stop it first, then restore.`)
    // A damaged database is a reason to restore, not to refuse.
  } finally {
    db.close()
  }
}

/** Paths that a restore would overwrite. */
const occupied = (config: Config) =>
  [
    ...(config.postgres ? [] : ['', '-wal', '-shm'].map(end => `${config.databasePath}${end}`)),
    ...fileKinds.map(kind => join(config.dataDir, kind)),
    join(config.dataDir, 'secret'),
  ].filter(path => existsSync(path))

/**
 * Messages that waited in the backup may have been sent after it was taken, and must not be sent twice. They are marked
 * as in flight, so the next start treats them as after a power cut: unconfirmed until a status comes. Their order keys
 * are removed, because all of a conversation are in flight at once.
 */
const holdSends = (db: Database): number => {
  // The processes of that time do not run on the restored database.
  db.prepare('delete from job_worker').run()
  return db
    .prepare(
      `update job set state = 'running', owner = 'before', order_key = null
      where kind like 'outbox.%' and kind <> 'outbox.unconfirmed' and state in ('scheduled', 'waiting', 'retrying', 'parked')`,
    )
    .run().changes
}

/** Runs `work` on the unpacked database and reports damage as a refusal. */
const onUnpacked = async <T>(path: string, work: (db: Database) => T | Promise<T>): Promise<T> => {
  const db = new Sqlite(path)
  try {
    return await work(db)
  } catch (error) {
    const damage = databaseFileFault(error, 'The database in the backup')
    if (damage) throw new Refusal(`${damage.says}: take another backup. Nothing was changed.`)
    throw error
  } finally {
    db.close()
  }
}

/**
 * Returns whether this build wrote the database, or an earlier one. @throws Refusal if it is damaged, or of a newer
 * build
 */
const requireKnownBuild = async (db: Database): Promise<'earlier' | 'this'> => {
  const verdict = db.pragma('integrity_check', { simple: true })
  if (verdict !== 'ok') throw new Refusal(`The database in the backup is damaged: ${verdict}`)
  const recorded = db.prepare('select name from kysely_migration order by name').pluck().all() as string[]
  const unknown = await findUnknownMigrations(recorded)
  if (unknown && !unknown.areEarlier)
    throw new Refusal(`The backup is of a newer Recado (${unknown.names.join(', ')}); restore it with that one.`)
  return unknown ? 'earlier' : 'this'
}

/** Puts a database of this build, with the same rows, in the place of an earlier build's. */
const replaceEarlierBuild = async (path: string): Promise<CopiedByName> => {
  const fresh = `${path}.new`
  const copied = await onUnpacked(path, db => copyByName(db, fresh))
  await rename(fresh, path)
  return copied
}

interface Restored {
  /** The tables that were copied by column names, if the backup is of an earlier build. */
  readonly fromEarlierBuild: CopiedByName | undefined
  readonly files: readonly ArchivedFile[]
  /** Messages that waited in the backup and are now unconfirmed. */
  readonly heldSends: number
  /** Folder of the data that was there before. */
  readonly before: string | undefined
  /** Schema of what was in PostgreSQL before. */
  readonly schemaBefore: string | undefined
}

/** Copies the rows of an unpacked backup into a PostgreSQL database, and moves what is there into the schema `aside`. */
async function fillPostgres(
  { postgres, databaseName }: Config,
  unpacked: string,
  { file, aside }: { file: string; aside: string | undefined },
): Promise<void> {
  const address = postgres as NonNullable<typeof postgres>
  const fill = async () => {
    const from = openDatabase(unpacked)
    try {
      // Migrates a backup of an older version.
      await migrate(from.write)
      await copyToPostgres(from, address, { source: file, name: databaseName, isQuiet: true })
    } finally {
      await from.close()
    }
  }
  await (aside ? withSchemaAside(address, aside, fill) : fill())
}

/**
 * Unpacks and verifies next to the data folder first. Only then it moves the old data aside and the backup in.
 * @throws Refusal for a running server, a folder with data (unless `force`), a newer schema; BrokenArchive.
 */
export async function restore(config: Config, file: string, { force = false } = {}): Promise<Restored> {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}`)
  const tables = config.postgres ? await countTablesOf(config.postgres, config.databaseName) : 0
  if (!config.postgres) refuseRunningServer(config.databasePath)
  const old = occupied(config)
  if ((old.length || tables) && !force)
    throw new Refusal(
      tables
        ? `${config.databaseName} already holds ${tables} tables. Restore into an empty database, or add --force to move them aside.`
        : `${config.dataDir} already holds data. Restore into an empty DATA_DIR, or add --force to move it aside.`,
    )
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  if (!config.postgres) await mkdir(dirname(config.databasePath), { recursive: true, mode: 0o700 })
  const unpacked = await mkdtemp(join(config.dataDir, '.restoring-'))
  try {
    const files = await readArchive(file, unpacked)
    if (!files.some(({ path }) => path === 'recado.db')) throw new BrokenArchive('the backup has no database')
    const database = join(unpacked, 'recado.db')
    const build = await onUnpacked(database, requireKnownBuild)
    const fromEarlierBuild = build === 'earlier' ? await replaceEarlierBuild(database) : undefined
    const heldSends = await onUnpacked(database, holdSends)
    const name = `before-restore-${systemClock.now().toISOString().replace(/[:.]/g, '-')}`
    const before = old.length ? join(config.dataDir, name) : undefined
    const schemaBefore = tables ? name : undefined
    if (config.postgres) await fillPostgres(config, database, { file, aside: schemaBefore })
    if (before) {
      await mkdir(before, { mode: 0o700 })
      for (const path of old) await rename(path, join(before, basename(path)))
    }
    if (!config.postgres) await rename(database, config.databasePath)
    for (const name of [...fileKinds, 'secret'])
      if (existsSync(join(unpacked, name))) await rename(join(unpacked, name), join(config.dataDir, name))
    return { files, fromEarlierBuild, heldSends, before, schemaBefore }
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename)
  await runProgram(async () => {
    const { named, rest } = readArguments(['force'])
    if (rest.length !== 1) throw new Refusal('Usage: npm run restore -- FILE [--force]')
    const config = readConfig(process.env)
    try {
      const restored = await restore(config, personsPath(rest[0] as string), { force: named.has('force') })
      const { files, fromEarlierBuild, heldSends, before, schemaBefore } = restored
      if (fromEarlierBuild) for (const line of describeCopy(fromEarlierBuild)) console.log(line)
      console.log(`Restored ${files.length} files into ${config.dataDir}. Start it with: npm start`)
      if (config.s3)
        console.log(
          `Files of the backup, if any, lie in ${config.dataDir}: copy its folders ${fileKinds.join(', ')} below ${config.s3.prefix || '/'} in the bucket "${config.s3.bucket}".`,
        )
      if (before) console.log(`What was there lies in ${before}; delete it when you no longer need it.`)
      if (schemaBefore)
        console.log(
          `What was in ${config.databaseName} lies in its schema "${schemaBefore}"; drop it when you no longer need it.`,
        )
      if (heldSends)
        console.log(
          `${heldSends} sends waited in the backup. They may have left since: none is sent again, each waits for a status.`,
        )
    } catch (error) {
      if (error instanceof BrokenArchive)
        throw new Refusal(`The backup cannot be used: ${error.message}. Nothing was changed.`)
      throw error
    }
  })
