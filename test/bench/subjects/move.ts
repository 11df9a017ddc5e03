/** Moves the installation of its environment to PostgreSQL when asked, and tells how long it took and what it held at most. */
import { existsSync, readFileSync } from 'node:fs'
import { move } from '#server/cli/move.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { answer } from '../parts/child.ts'

export interface MoveOutcome {
  readonly rows: number
  readonly seconds: number
  /** Bytes: the most that was resident. */
  readonly peak: number
  readonly fault?: string
}

/**
 * Bytes: the most that this program was resident with. What the kernel tells of the process also counts the program that
 * started it, as large as that was just then.
 */
const mostResident = (): number => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'latin1') : ''
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Number(kilobytes) * 1024
}

answer('move', async ({ to }: { to: string }): Promise<MoveOutcome> => {
  const begin = performance.now()
  const outcome = (rows: number, fault?: string): MoveOutcome => ({
    rows,
    fault,
    seconds: (performance.now() - begin) / 1000,
    peak: mostResident(),
  })
  return move(readConfig(process.env), to).then(
    ({ rows }) => outcome(rows),
    error => outcome(0, String(error)),
  )
})
console.log('ready: http://127.0.0.1:1')
