/** What is done beside the event loop. @see workBeside */
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite, { type Database as SqliteDatabase } from 'better-sqlite3'
import { monotonicMs } from '../../clock.ts'
import type { BesideAnswer, BesideTask, BesideWork } from './beside.ts'
import { emptySqliteLog } from './empty-log.ts'
import { setPragmas } from './pragmas.ts'

const shortestPauseMs = 10
const clock = new Int32Array(new SharedArrayBuffer(4))
const pause = (ms: number) => Atomics.wait(clock, 0, 0, ms)

/** Those who wait for the lock look for it now and then, so that it is free for as long as it was held. */
function mergeWords(db: SqliteDatabase, { first, pages, forMs }: Extract<BesideWork, { what: 'mergeWords' }>): boolean {
  const merge = db.prepare("insert into message_index (message_index, rank) values ('merge', cast(? as integer))")
  const changes = db.prepare('select total_changes()').pluck()
  const begin = monotonicMs()
  for (let next = first; monotonicMs() - begin < forMs; next = pages) {
    const [before, since] = [changes.get() as number, monotonicMs()]
    merge.run(next)
    // What the engine says of a merge that found nothing to do: one change, the command itself.
    if ((changes.get() as number) - before <= 1) return false
    pause(Math.max(monotonicMs() - since, shortestPauseMs))
  }
  return true
}

/** All that can be brought in while others write is, before they have to wait for the rest. */
function emptyLog(db: SqliteDatabase): boolean {
  db.pragma('wal_checkpoint(PASSIVE)')
  db.pragma('busy_timeout = 0')
  return emptySqliteLog(db)
}

const { path, work } = workerData as BesideTask

function workOn(): boolean {
  const db = new Sqlite(path, { fileMustExist: true })
  try {
    setPragmas(db)
    return work.what === 'emptyLog' ? emptyLog(db) : mergeWords(db, work)
  } finally {
    db.close()
  }
}

const answer = (words: BesideAnswer) => parentPort?.postMessage(words)
try {
  answer({ result: workOn() })
} catch (error) {
  // An error that leaves a thread uncaught is also seen by whoever watches the process for those.
  const { message, code } = error as Error & { code?: unknown }
  answer({ failed: message, code: String(code ?? '') })
}
