import type { Database as SqliteDatabase } from 'better-sqlite3'
import { workBesidePath } from './beside.ts'
import { waitingPages } from './log-pages.ts'

/** Checking costs microseconds. */
const commitsBetweenLooks = 8
/** Four megabytes. The small rest at `wal_autocheckpoint` is checkpointed by a committing connection. */
const pagesBeside = 1000
/** How long the thread waits for more before it ends. */
const idleMs = 3000

/**
 * Has what commits leave in the log brought into the database by a thread beside, as it comes: sixteen megabytes at once,
 * by whoever happens to commit, stop the product for a tenth of a second and more. Call it after each commit.
 */
export function createBringingIn(write: SqliteDatabase): () => void {
  let commits = 0
  let isUnderWay = false
  return () => {
    commits += 1
    if (isUnderWay || commits % commitsBetweenLooks || !write.open || waitingPages(write) < pagesBeside) return
    isUnderWay = true
    const end = () => {
      isUnderWay = false
    }
    // If the thread fails, a committing connection checkpoints.
    workBesidePath({ path: write.name, work: { what: 'bringIn', pages: pagesBeside, idleMs } }, { mayEnd: true }).then(
      end,
      end,
    )
  }
}
