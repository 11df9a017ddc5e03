import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { beatMs, type createWorkers, untilRenewal } from './workers.ts'

interface HeartbeatParts {
  readonly workers: Pick<ReturnType<typeof createWorkers>, 'beat' | 'renew'>
  readonly clock: Clock
  readonly log: Log
  /** Jobs of dead processes can be claimed. */
  kick(): void
}

/** Sends this process's heartbeat, and checks those of others. */
export function createHeartbeat({ workers, clock, log, kick }: HeartbeatParts) {
  let beatTimer: NodeJS.Timeout | undefined
  let renewTimer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let renewing: Promise<void> | undefined

  const beat = (): Promise<void> => {
    beating ??= workers
      .beat()
      .then(kick)
      .catch(error => log.error({ err: error }, 'job worker heartbeat failed'))
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  const renewInTurn = () => {
    renewTimer = setTimeout(() => {
      renewing = workers.renew().catch(error => log.error({ err: error }, 'job worker heartbeat failed'))
      renewInTurn()
    }, untilRenewal(clock.now())).unref()
  }

  return {
    beat,
    start() {
      beatTimer = setInterval(beat, beatMs)
      beatTimer.unref()
      renewInTurn()
    },
    stop() {
      clearInterval(beatTimer)
      clearTimeout(renewTimer)
    },
    /** The running check, if any. */
    beating: () => beating,
    renewing: () => renewing,
  }
}
