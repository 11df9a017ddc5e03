import type { Database as SqliteDatabase } from 'better-sqlite3'
import { waitingPages } from './log-pages.ts'
import { runTaskInThread } from './thread.ts'

/** Checking costs microseconds. */
const commitsBetweenLooks = 8
/** Four megabytes. The small rest at `wal_autocheckpoint` is checkpointed by a committing connection. */
const minWaitingPages = 1000
/** The thread ends if nothing comes for this long. */
const idleMs = 3000

/**
 * Checkpoints in another thread as the log grows: sixteen megabytes at once, in whatever commit comes next, would block
 * the process for a tenth of a second and more. Call it after each commit.
 */
export function createCheckpointing(write: SqliteDatabase): () => void {
  let commits = 0
  let isUnderWay = false
  return () => {
    commits += 1
    if (isUnderWay || commits % commitsBetweenLooks || !write.open || waitingPages(write) < minWaitingPages) return
    isUnderWay = true
    const end = () => {
      isUnderWay = false
    }
    // If the thread fails, a committing connection checkpoints.
    runTaskInThread(
      { path: write.name, work: { what: 'checkpoint', pages: minWaitingPages, idleMs } },
      { mayEnd: true },
    ).then(end, end)
  }
}
