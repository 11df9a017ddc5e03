import type { Log } from '../log.ts'

/** How often it is looked for lists that are due; the rows say which. */
const lookEveryMs = 60_000

/** Reads the lists of templates that are due, as long as the process lives. */
export function createSyncLoop({ runDue, log }: { runDue(): Promise<number>; log: Log }) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  const look = async () => {
    try {
      await runDue()
    } catch (error) {
      log.error({ err: error }, 'the lists of templates wait for the database')
    }
  }
  const next = () => {
    if (stopping) return
    timer = setTimeout(() => {
      running = look().finally(next)
    }, lookEveryMs)
    timer.unref()
  }
  return {
    start: next,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
    },
  }
}
