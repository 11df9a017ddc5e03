/** Moves the installation of its environment to PostgreSQL when asked, and tells how long it took and what it held at most. */
import { move } from '#server/cli/move.ts'
import { readConfig } from '#server/config.ts'
import { answer } from '../parts/child.ts'

export interface MoveOutcome {
  readonly rows: number
  readonly seconds: number
  /** Bytes: the most that was resident. */
  readonly peak: number
  readonly fault?: string
}

answer('move', async ({ to }: { to: string }): Promise<MoveOutcome> => {
  const begin = performance.now()
  const outcome = (rows: number, fault?: string): MoveOutcome => ({
    rows,
    fault,
    seconds: (performance.now() - begin) / 1000,
    peak: process.resourceUsage().maxRSS * 1024,
  })
  return move(readConfig(process.env), to).then(
    ({ rows }) => outcome(rows),
    error => outcome(0, String(error)),
  )
})
console.log('ready: http://127.0.0.1:1')
