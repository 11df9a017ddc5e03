import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { sharedRun } from '#server/platform/work/shared-run.ts'

/** Forces written data of a file to the disk. */
export type ForceToDisk = (file: number) => Promise<void>

/** Like SQLite's own error for a failed fsync. */
const notOnDisk = (cause: unknown): Error =>
  Object.assign(new Error('the log could not be forced to the disk', { cause }), { code: 'SQLITE_IOERR_FSYNC' })

interface LogOnDiskParts {
  /** The WAL file, which exists while a connection is open. */
  readonly logPath: string
  /** Checkpoints the whole log into the database file, with an fsync of that. False: somebody reads from the log. */
  checkpointAll(): boolean
  readonly force?: ForceToDisk
}

interface LogOnDisk {
  /** Resolves when everything committed so far is on the disk. @throws SQLITE_IOERR_FSYNC */
  reach(): Promise<void>
  /** Call it only when nothing is written any more. */
  close(): Promise<void>
}

/**
 * Makes commits durable. Callers during an fsync share the next one, which begins after all their commits: the busier,
 * the more share one. The event loop continues meanwhile.
 *
 * After a failed fsync the kernel forgets the lost pages, and the next fsync reports success. So no caller succeeds
 * until the whole log was checkpointed into the database file.
 */
export function createLogOnDisk({ logPath, checkpointAll, force = promisify(fdatasync) }: LogOnDiskParts): LogOnDisk {
  let log: number | undefined
  let hasFailed = false

  const forceOnce = async () => {
    try {
      if (hasFailed && !checkpointAll()) throw new Error('the log is still being read')
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
      // SQLite's locks are on other files and are not affected.
      if (log !== undefined) closeSync(log)
      log = undefined
    },
  }
}
