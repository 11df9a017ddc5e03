import { execFile } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Taken } from '#server/platform/snapshots/snapshots.ts'

const program = join(import.meta.dirname, 'snapshot.ts')
/** Requests have priority over the backup. */
const priority = 10
const answerBytes = 1024 * 1024

/** Runs the backup in a process of its own, with the same environment and a lower priority. */
export const takeInOwnProcess = (file: string, signal: AbortSignal): Promise<Taken> =>
  new Promise(resolve => {
    const { pid } = execFile(
      process.execPath,
      [program, file],
      { signal, maxBuffer: answerBytes, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const line = stdout.trim().split('\n').at(-1) ?? ''
        try {
          resolve(JSON.parse(line) as Taken)
        } catch {
          resolve({ fault: 'failed', reason: (stderr.trim() || error?.message || 'it said nothing').slice(-500) })
        }
      },
    )
    if (pid !== undefined) yieldTo(pid)
  })

const yieldTo = (pid: number): void => {
  try {
    setPriority(pid, priority)
  } catch {
    // The process has ended already, or the system refuses: the backup works without it.
  }
}
