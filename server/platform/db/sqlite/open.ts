import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite, { type Database as SqliteDatabase, type Statement } from 'better-sqlite3'
import { Kysely } from 'kysely'
import { type LoopTurn, loopTurn } from '#server/platform/work/loop-turn.ts'
import type { Database, Db } from '../database.ts'
import type { Databases } from '../db.ts'
import { runAtOnceOn, runInTransactionsOf } from '../run-at-once.ts'
import { noSignals } from '../signals.ts'
import { createCheckpointing } from './checkpointing.ts'
import { RecadoSqliteDialect } from './dialect.ts'
import { emptySqliteLog } from './empty-log.ts'
import type { DriverOptions } from './lock-waiting-driver.ts'
import { createLogOnDisk, type ForceToDisk } from './log-on-disk.ts'
import { refuseOldSqlite, setPragmas } from './pragmas.ts'

const maxKeptStatements = 400

/**
 * Caches prepared statements, because Kysely prepares each again. Transactions begin IMMEDIATE, so that two writers
 * never deadlock.
 */
const keepStatements = (db: SqliteDatabase, begin: string) => {
  const kept = new Map<string, Statement>()
  return {
    prepare(sql: string) {
      const known = kept.get(sql)
      if (known) {
        // Moves it to the end: the least recently used one is dropped.
        kept.delete(sql)
        kept.set(sql, known)
        return known
      }
      const statement = db.prepare(sql === 'begin' ? begin : sql)
      if (kept.size >= maxKeptStatements) kept.delete(kept.keys().next().value as string)
      kept.set(sql, statement)
      return statement
    },
    close: () => db.close(),
  }
}

const kyselyOn = (kept: ReturnType<typeof keepStatements>, options?: DriverOptions): Db =>
  new Kysely<Database>({ dialect: new RecadoSqliteDialect({ database: kept as never }, options) })

/**
 * Opens (and creates) the database file, accessible to this account only: folder 700, file and log 600. `forceToDisk`:
 * for tests.
 */
export function openDatabase(
  path: string,
  {
    longestLockMs,
    turn = loopTurn,
    forceToDisk,
  }: { longestLockMs?: number; turn?: LoopTurn; forceToDisk?: ForceToDisk } = {},
): Databases {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const write = new Sqlite(path)
  refuseOldSqlite(write)
  setPragmas(write, { synchronous: 'NORMAL' })
  // The driver waits asynchronously.
  write.pragma('busy_timeout = 0')
  const read = new Sqlite(path)
  setPragmas(read)
  read.pragma('query_only = ON')
  const log = createLogOnDisk({
    logPath: `${path}-wal`,
    checkpointAll: () => emptySqliteLog(write),
    ...(forceToDisk && { force: forceToDisk }),
  })
  const options = { longestMs: longestLockMs, turn, onCommit: createCheckpointing(write), onDisk: log.reach }
  return pair(write, read, options, log.close)
}

/** A database in memory from a snapshot of a migrated one; a single connection. For tests. */
export function openSnapshot(snapshot?: Buffer, turn: LoopTurn = loopTurn): Databases {
  const db = snapshot ? new Sqlite(snapshot) : new Sqlite(':memory:')
  db.pragma('foreign_keys = ON')
  return pair(db, db, { turn })
}

/** `data_version` shows commits of other connections only; a shared connection uses its count of changes. */
const versionOf = (write: SqliteDatabase, read: SqliteDatabase): (() => number | undefined) => {
  if (read === write) {
    const changes = read.prepare('select total_changes()').pluck()
    return () => (read.inTransaction ? undefined : (changes.get() as number))
  }
  const version = read.prepare('pragma data_version').pluck()
  return () => version.get() as number
}

function pair(
  write: SqliteDatabase,
  read: SqliteDatabase,
  options: DriverOptions & { turn: LoopTurn },
  closeLog = async () => {},
): Databases {
  const { turn } = options
  const writing = keepStatements(write, 'begin immediate')
  const writeDb = kyselyOn(writing, options)
  const reading = keepStatements(read, 'begin')
  const readDb = read === write ? writeDb : kyselyOn(reading)
  // A reading connection has no transaction that a statement could join.
  const runWriting = (sql: string, parameters: readonly unknown[]) => {
    const statement = writing.prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }
  // It holds the lock, so it only yields to the event loop.
  runInTransactionsOf(writeDb, (sql, parameters, longMs) => {
    const nextTurn = turn.giveWay(longMs)
    return nextTurn ? nextTurn.then(() => runWriting(sql, parameters)) : runWriting(sql, parameters)
  })
  if (readDb !== writeDb) runAtOnceOn(readDb, (sql, parameters) => reading.prepare(sql).all(parameters))
  return {
    write: writeDb,
    journal: writeDb,
    read: readDb,
    version: versionOf(write, read),
    // Looking up access in this process is cheap, so every version counts.
    signals: noSignals,
    turn,
    raw: { write, read },
    async close() {
      await closeLog()
      await writeDb.destroy()
      if (readDb !== writeDb) await readDb.destroy()
      for (const db of [read, write]) if (db.open) db.close()
    },
  }
}
