import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import Sqlite, { type Database as SqliteDatabase } from 'better-sqlite3'
import type { Config } from '#server/platform/config/config.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'
import type { Clock } from '#server/platform/time/clock.ts'

/** Who serves from a folder. */
interface Holder {
  pid: number
  host: string
  since: string
}

export interface ProcessLock {
  release(): void
}

/** Kept for the life of the process: a connection that is collected would let its lock go. */
const held = new Set<SqliteDatabase>()

const isBusy = (error: unknown) => String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY')

const readHolder = (db: SqliteDatabase): Holder | undefined => {
  try {
    return db.prepare('select pid, host, since from holder').get() as Holder | undefined
  } catch {
    // It is being written just now; that somebody has it is all there is to say.
    return undefined
  }
}

const refuse = (path: string, holder: Holder | undefined, fix: string): never => {
  const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process'
  throw new InstallationFault(`Recado is running already on ${dirname(path)} (${who})`, fix)
}

/**
 * An open write transaction on a file of its own: the operating system drops its lock with the process, however that
 * ends, and everybody else can still read who has it.
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
 * One server on one DATA_DIR and one SQLite file: a second one would take the first one's work for that of a dead
 * process. Programs that run beside a server do not ask for it. An engine that several servers may share does not
 * need it either.
 * @throws InstallationFault naming who has it.
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
