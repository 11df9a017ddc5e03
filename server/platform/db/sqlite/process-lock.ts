import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import Sqlite, { type Database as SqliteDatabase } from 'better-sqlite3'
import type { Config } from '#server/platform/config/config.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import type { Clock } from '#server/platform/time/clock.ts'

/** The process that holds the folder's lock. */
interface Holder {
  pid: number
  host: string
  since: string
}

export interface ProcessLock {
  release(): void
}

/** Keeps the connections, because a collected one releases its lock. */
const held = new Set<SqliteDatabase>()

const isBusy = (error: unknown) => String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

const readHolder = (db: SqliteDatabase): Holder | undefined => {
  try {
    return db.prepare('select pid, host, since from holder').get() as Holder | undefined
  } catch {
    // It is being written just now; only the lock itself is known.
    return undefined
  }
}

const refuse = (path: string, holder: Holder | undefined, fix: string): never => {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  throw new InstallationFault(`Recado is running already on ${dirname(path)} (${who})`, fix)
}

/**
 * Locks by an open write transaction on a separate file: the operating system releases it however the process ends, and
 * others can still read who holds it.
 */
function lockFile(path: string, clock: Clock, fix: string): SqliteDatabase {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = new Sqlite(path, { timeout: 0 })
  try {
    db.exec('begin immediate')
    db.exec('create table if not exists holder (pid integer, host text, since text) strict; delete from holder')
    db.prepare('insert into holder values (?, ?, ?)').run(process.pid, hostname(), clock.now().toISOString())
    db.exec('commit; begin immediate')
  } catch (error) {
    const holder = isBusy(error) ? readHolder(db) : undefined
    db.close()
    if (isBusy(error)) refuse(path, holder, fix)
    throw error
  }
  held.add(db)
  return db
}

/**
 * Ensures one server per DATA_DIR and SQLite file: a second one would take over the first one's jobs as those of a dead
 * process. Commands that run beside a server do not take it. PostgreSQL does not need it.
 * @throws InstallationFault naming the holder
 */
export function lockInstallation(config: Pick<Config, 'dataDir' | 'databasePath'>, clock: Clock): ProcessLock {
  const paths = new Set([join(config.dataDir, 'server.lock')])
  if (dirname(config.databasePath) !== config.dataDir) paths.add(`${config.databasePath}.lock`)
  const locks: SqliteDatabase[] = []
  const release = () => {
    for (const db of locks.splice(0)) {
      held.delete(db)
      db.close()
    }
  }
  try {
    for (const path of paths)
      locks.push(lockFile(path, clock, 'stop that one first, or give this one its own DATA_DIR and DATABASE_URL'))
  } catch (error) {
    release()
    throw error
  }
  return { release }
}
