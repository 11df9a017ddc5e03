import type { Log } from '#server/platform/log/log.ts'

interface PollLoopParts {
  readonly log: Log
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
  /** Starts everything that can run now. Returns when the next job is due, as ISO 8601; undefined: none is scheduled. */
  poll(): Promise<string | undefined>
  /** For how long nothing can run after a poll. */
  untilNextMs(dueAt: string | undefined): number
}

/** A missed wake-up costs this long. */
const longestSleepMs = 1_000
const troubleMs = 1_000

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Polls when it is kicked and when something falls due: one poll at a time, and one more for kicks during a poll. */
export function createPollLoop({ log, stopping, poll, untilNextMs }: PollLoopParts) {
  let polling: Promise<void> | undefined
  let isKicked = false
  let isStarted = false
  let timer: NodeJS.Timeout | undefined

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (stopping.aborted) return
    timer = setTimeout(kick, Math.max(1, Math.min(longestSleepMs, ms)))
    timer.unref()
  }

  const pollWhileKicked = async () => {
    try {
      let dueAt: string | undefined
      do {
        isKicked = false
        dueAt = await poll()
      } while (isKicked && !stopping.aborted)
      sleep(untilNextMs(dueAt))
    } catch (error) {
      log.error({ err: error }, 'staging jobs failed; retrying')
      isKicked = false
      sleep(troubleMs)
    }
  }

  const kick = () => {
    isKicked = true
    if (!isStarted || stopping.aborted || polling) return
    polling = nextTurn()
      .then(pollWhileKicked)
      .finally(() => {
        polling = undefined
        if (isKicked) kick()
      })
  }

  return {
    /** Something can run now. */
    kick,
    /** From now on, kicks start polls. */
    start() {
      isStarted = true
    },
    stop: () => clearTimeout(timer),
    isStarted: () => isStarted,
    /** The running poll, if any. */
    polling: () => polling,
  }
}
