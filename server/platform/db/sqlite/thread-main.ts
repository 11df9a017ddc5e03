/** Work on another thread. @see runInThread */
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite, { type Database as SqliteDatabase, type Statement } from 'better-sqlite3'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { emptySqliteLog } from './empty-log.ts'
import { waitingPages } from './log-pages.ts'
import { setPragmas } from './pragmas.ts'
import type { ThreadAnswer, ThreadTask, ThreadWork } from './thread.ts'

const shortestPauseMs = 10
const clock = new Int32Array(new SharedArrayBuffer(4))
const pause = (ms: number) => Atomics.wait(clock, 0, 0, ms)

/** Waiting writers poll for the lock, so it is released for as long as it was held. */
function mergeWords(db: SqliteDatabase, { first, pages, forMs }: Extract<ThreadWork, { what: 'mergeWords' }>): boolean {
  const changes = db.prepare('select total_changes()').pluck()
  const begin = monotonicMs()
  const merges = ['message_index', 'contact_index'].map(index =>
    db.prepare(`insert into ${index} (${index}, rank) values ('merge', cast(? as integer))`),
  )
  const goesOn = (merge: Statement, count: number): boolean => {
    const [before, since] = [changes.get() as number, monotonicMs()]
    merge.run(count)
    // A merge that found nothing to do counts one change, the command itself.
    if ((changes.get() as number) - before <= 1) return false
    pause(Math.max(monotonicMs() - since, shortestPauseMs))
    return true
  }
  let left = merges.filter(merge => goesOn(merge, first))
  while (left.length && monotonicMs() - begin < forMs) left = left.filter(merge => goesOn(merge, pages))
  return left.length > 0
}

/** Checkpoints as much as possible while others write, before they must wait for the rest. */
function emptyLog(db: SqliteDatabase): boolean {
  db.pragma('wal_checkpoint(PASSIVE)')
  db.pragma('busy_timeout = 0')
  return emptySqliteLog(db)
}

const lookEveryMs = 20

/** Checkpoints while others keep committing; ends when the log has grown by less than `pages` for a while. */
function checkpoint(db: SqliteDatabase, { pages, idleMs }: Extract<ThreadWork, { what: 'checkpoint' }>): boolean {
  for (let since = monotonicMs(); monotonicMs() - since < idleMs; pause(lookEveryMs)) {
    if (waitingPages(db) < pages) continue
    db.pragma('wal_checkpoint(PASSIVE)')
    since = monotonicMs()
  }
  return true
}

const { path, work } = workerData as ThreadTask

function doWork(db: SqliteDatabase): boolean {
  switch (work.what) {
    case 'emptyLog':
      return emptyLog(db)
    case 'mergeWords':
      return mergeWords(db, work)
    case 'checkpoint':
      return checkpoint(db, work)
  }
}

function runWork(): boolean {
  const db = new Sqlite(path, { fileMustExist: true })
  try {
    setPragmas(db)
    return doWork(db)
  } finally {
    db.close()
  }
}

const answer = (words: ThreadAnswer) => parentPort?.postMessage(words)
try {
  answer({ result: runWork() })
} catch (error) {
  // An uncaught error of a thread would also reach the process's handler for uncaught errors.
  const { message, code } = error as Error & { code?: unknown }
  answer({ failed: message, code: String(code ?? '') })
}
