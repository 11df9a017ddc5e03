import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { sharedRun } from '#server/platform/work/shared-run.ts'

/** Forces what was written to a file to its disk. */
export type ForceToDisk = (file: number) => Promise<void>

/** What SQLite itself says of a disk that does not take what it was given. */
const notOnDisk = (cause: unknown): Error =>
  Object.assign(new Error('the log could not be forced to the disk', { cause }), { code: 'SQLITE_IOERR_FSYNC' })

export interface LogOnDiskParts {
  /** The log of a database in WAL mode; it stays as long as a connection is open. */
  readonly logPath: string
  /**
   * Brings all of the log into the database file and forces that to the disk, from what the system still remembers. False:
   * somebody reads from the log still.
   */
  bringAllIn(): boolean
  readonly force?: ForceToDisk
}

export interface LogOnDisk {
  /** Resolves when all that was committed by now is on the disk. @throws SQLITE_IOERR_FSYNC */
  reach(): Promise<void>
  /** Only when nothing is written any more. */
  close(): Promise<void>
}

/**
 * Answers when all that was committed before it was asked is on the disk. Those who ask while the disk is at work share its
 * next run, which begins after all of them have committed: the busier, the more share one. The event loop goes on meanwhile.
 *
 * A disk that failed once forgets what it did not take, and says of the next run that all is well. Until everything that the
 * log holds has come into the database file by another way, nobody is told so.
 */
export function createLogOnDisk({ logPath, bringAllIn, force = promisify(fdatasync) }: LogOnDiskParts): LogOnDisk {
  let log: number | undefined
  let hasFailed = false

  const forceOnce = async () => {
    try {
      if (hasFailed && !bringAllIn()) throw new Error('the log is read from still')
      hasFailed = false
      log ??= openSync(logPath, 'r+')
      await force(log)
    } catch (error) {
      hasFailed = true
      throw notOnDisk(error)
    }
  }

  const { ask, settled } = sharedRun(forceOnce)
  return {
    reach: ask,
    async close() {
      await settled()
      // SQLite's locks are on other files: they stay.
      if (log !== undefined) closeSync(log)
      log = undefined
    },
  }
}
