import type { FastifyInstance } from 'fastify'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { pendingMigrations } from '#server/platform/db/migrate.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import type { DescribedCall } from '../described-calls.ts'
import { probeWrite } from './idempotency-store.ts'

/** A probe costs an fsync; callers within this time share one. */
const sharedMs = 1000
const answerWithinMs = 3000
/**
 * A full disk of the PostgreSQL server is reported for this long after it refused a write, because its free space
 * cannot be read.
 */
const fullForMs = 60_000
/** The largest webhook, plus what its commit needs. */
const neededBytes = webhookLimitBytes + 1024 * 1024
const replyHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

type Readiness = 'ready' | 'draining' | 'databaseNotWritable' | 'diskFull' | 'migrationsPending'

const statuses: readonly Readiness[] = ['ready', 'draining', 'databaseNotWritable', 'diskFull', 'migrationsPending']
const replyOf = (some: readonly string[]) => ({ type: 'object', properties: { status: { enum: some } } })
const numbers = { type: 'object', additionalProperties: { type: 'integer' } }
const countsBy = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'integer' }])),
})
const readyReply = {
  type: 'object',
  properties: {
    status: { enum: ['ready'] },
    waitingSeconds: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'For each kind of work, how long the oldest due row has waited.',
    },
    snapshot: {
      type: 'object',
      description: 'The nightly backups; absent where none are made.',
      properties: {
        lastGoodAt: { type: ['string', 'null'], description: 'Null: there is no usable backup.' },
        failure: {
          enum: ['damaged', 'noRoom', 'failed', null],
          description: 'Why the last backup failed; null: it succeeded.',
        },
      },
    },
    farAhead: {
      type: 'object',
      description:
        'What a clock that ran ahead has left: jobs due, pauses of numbers that end, and processes seen, later than that ever is. All of it is put right by itself within a minute; numbers that stay tell that the clock of a machine is wrong.',
      properties: { jobs: { type: 'integer' }, pauses: { type: 'integer' }, processes: { type: 'integer' } },
    },
    counts: {
      type: 'object',
      description: 'Counted up to ten thousand each.',
      properties: {
        jobs: {
          type: 'object',
          additionalProperties: countsBy('waiting', 'running', 'scheduled', 'parked'),
          description: 'By kind. `parked`: jobs that failed for good and are not retried.',
        },
        webhooksPutAside: {
          ...countsBy('failed', 'unknownNumber'),
          description: 'Webhooks that could not be applied, and those of numbers that are not connected here.',
        },
        untakenWebhooks: {
          ...numbers,
          description: 'Parts of webhooks that are stored and that no feature handles yet.',
        },
        failedListeners: {
          ...numbers,
          description: 'Failures of listeners inside write transactions since the start, by listener.',
        },
      },
    },
  },
}
const open = { service: 'health', method: 'GET', access: 'anyone' } as const
const calls: readonly DescribedCall[] = [
  {
    ...open,
    name: 'alive',
    url: '/healthz',
    summary: 'Whether the process answers.',
    reply: replyOf(['ok']),
    refuses: [],
  },
  {
    ...open,
    name: 'ready',
    url: '/readyz',
    summary: 'Whether the database accepts writes, its disk has free space, and its schema is current.',
    reply: readyReply,
    refuses: [503],
    refusal: replyOf(statuses.filter(status => status !== 'ready')),
  },
]

type Numbers = Readonly<Record<string, number>>

interface WorkCounts {
  readonly jobs: Readonly<Record<string, Numbers>>
  readonly webhooksPutAside: Numbers
  readonly untakenWebhooks: Numbers
  readonly failedListeners: Numbers
}

/** Rows written by a clock that was ahead. */
interface FarAhead {
  readonly jobs: number
  readonly pauses: number
  readonly processes: number
}

interface SnapshotState {
  readonly lastGoodAt: string | null
  readonly failure: string | null
}

interface HealthParts {
  databases: Databases
  clock: Clock
  /** The time at which the oldest pending row of each kind fell due; undefined: none is pending. */
  oldestWaiting?: () => Promise<Readonly<Record<string, string | undefined>>>
  /** Counts of running and parked work. */
  workCounts?: () => Promise<WorkCounts>
  /** Rows written by a clock that was ahead. */
  farAhead?: () => Promise<FarAhead>
  /** State of the nightly backups; undefined: none are made. */
  snapshotState?: () => Promise<SnapshotState | undefined>
  /** Free bytes on the database's disk; absent: not checked. */
  freeBytes?: () => Promise<number>
}

/**
 * `/healthz`: the process answers. `/readyz`: the database accepts a write, its disk has space for the largest webhook,
 * and its schema is current. Otherwise 503 with the reason, also from the moment the server begins to stop.
 */
export function installHealth(app: FastifyInstance, parts: HealthParts): void {
  const { databases, clock, oldestWaiting, workCounts, snapshotState, freeBytes } = parts
  const farAhead = parts.farAhead ?? (async () => undefined)
  let draining = false
  let current = false
  let timesFull = 0
  let fullUntil = 0
  let last: { at: number; result: Promise<Readiness>; work: ReturnType<typeof work> } | undefined
  app.addHook('preClose', async () => {
    draining = true
  })

  /** A write was refused lately for lack of space, though a small one may still succeed. */
  const wasFull = (): boolean => {
    const now = clock.now().getTime()
    const times = databases.timesFull?.() ?? 0
    if (times > timesFull) fullUntil = now + fullForMs
    timesFull = times
    return now < fullUntil && fullUntil <= now + fullForMs
  }

  const probe = async (): Promise<Readiness> => {
    try {
      current ||= (await pendingMigrations(databases.read)).length === 0
      if (!current) return 'migrationsPending'
      // A small write may still fit into existing pages when a webhook no longer does.
      if (freeBytes && (await freeBytes()) < neededBytes) return 'diskFull'
      await inTransaction(databases, trx => probeWrite(trx, isoNow(clock)))
      return wasFull() ? 'diskFull' : 'ready'
    } catch (error) {
      app.log.error({ err: errorFacts(error) }, 'database write probe failed')
      return wasFull() ? 'diskFull' : 'databaseNotWritable'
    }
  }
  /** Seconds that the oldest due row of each kind has waited; 0: nothing is late. */
  const waiting = async (): Promise<Record<string, number> | undefined> => {
    try {
      const now = clock.now().getTime()
      const oldest = Object.entries((await oldestWaiting?.()) ?? {})
      if (!oldest.length) return undefined
      return Object.fromEntries(
        oldest.map(([kind, at]) => [kind, at ? Math.max(0, Math.floor((now - Date.parse(at)) / 1000)) : 0]),
      )
    } catch (error) {
      app.log.error({ err: errorFacts(error) }, 'reading the oldest waiting rows failed')
      return undefined
    }
  }
  const counts = async (): Promise<WorkCounts | undefined> => {
    try {
      return await workCounts?.()
    } catch (error) {
      app.log.error({ err: errorFacts(error) }, 'counting running work failed')
      return undefined
    }
  }
  const snapshot = async (): Promise<SnapshotState | undefined> => {
    try {
      return await snapshotState?.()
    } catch (error) {
      app.log.error({ err: errorFacts(error) }, 'reading the state of backups failed')
      return undefined
    }
  }
  const ahead = async (): Promise<FarAhead | undefined> => {
    try {
      return await farAhead()
    } catch (error) {
      app.log.error({ err: errorFacts(error) }, 'counting rows dated too far ahead failed')
      return undefined
    }
  }
  const work = async () => ({
    waitingSeconds: await waiting(),
    snapshot: await snapshot(),
    counts: await counts(),
    farAhead: await ahead(),
  })
  const answerInTime = () =>
    new Promise<Readiness>(resolve => {
      setTimeout(() => resolve('databaseNotWritable'), answerWithinMs).unref()
    })
  const readiness = () => {
    const now = clock.now().getTime()
    if (!last || now < last.at || now - last.at >= sharedMs)
      last = { at: now, result: Promise.race([probe(), answerInTime()]), work: work() }
    return last
  }

  app.get('/healthz', { logLevel: 'warn', config: { describeCalls: () => ({ calls }) } }, async (_request, reply) => {
    reply.headers(replyHeaders)
    return { status: 'ok' }
  })
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    const look = draining ? undefined : readiness()
    const status = look ? await look.result : 'draining'
    const { waitingSeconds, snapshot, counts, farAhead } = (status === 'ready' && (await look?.work)) || {}
    reply.headers(replyHeaders).status(status === 'ready' ? 200 : 503)
    return {
      status,
      ...(waitingSeconds ? { waitingSeconds } : {}),
      ...(snapshot ? { snapshot } : {}),
      ...(farAhead ? { farAhead } : {}),
      ...(counts ? { counts } : {}),
    }
  })
}
