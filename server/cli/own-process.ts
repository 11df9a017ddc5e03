import { execFile } from 'node:child_process'
import type { Taken } from '../snapshots/snapshots.ts'

const program = new URL('./snapshot.ts', import.meta.url).pathname
const answerBytes = 1024 * 1024

/** Runs the backup beside this process, with the same environment and less claim to the machine. */
export const takeInOwnProcess = (file: string, signal: AbortSignal): Promise<Taken> =>
  new Promise(resolve => {
    execFile(
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
  })
