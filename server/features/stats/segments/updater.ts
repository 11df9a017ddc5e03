import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, monotonicMs } from '#server/platform/time/clock.ts'
import { isAnyUnpacked, packDays } from '../packs/packer.ts'
import { progressOf } from '../progress.ts'
import { isAnyUnread, readProgress } from './progress-store.ts'
import { defaultSlice, readSlice } from './reading.ts'

interface UpdaterParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
  readonly writes: Pick<Writes, 'runMany'>
  /** Runs in the transaction that read messages of these conversations into segments. */
  follow(many: ManyWrites, conversationIds: readonly string[]): Promise<void>
}

/** The job waits this long after a message, so that one run reads a burst of messages. */
const afterMs = 2_000
/** The job ends after this many slices and is queued again, so that other jobs of its lane can run. */
const slicesPerRun = 50
/** While an installation from before segments is read, and while days are packed, the job rests 19 times as long as it works. */
const restPerWork = 19
/** Conversations of many days change packed days with each message. Their packs are made again after this time. */
const packEveryMs = 60_000

/** The job belongs to no organization: it reads the messages of all. */
const installation = ''
const uniqueKey = 'message'

type Heard =
  | 'message.received'
  | 'message.sent'
  | 'message.sentToMany'
  | 'message.noted'
  | 'conversation.activity'
  | 'contact.merged'
  | 'contact.parted'

/**
 * A background job that reads new messages into segments about two seconds after they arrive, and packs past days once all
 * messages are read.
 */
export function createSegmentUpdater({ databases, jobs, clock, log, writes, follow }: UpdaterParts) {
  const packing = { isMore: false, againAtMs: Number.NEGATIVE_INFINITY }
  const rest = (sinceMs: number, signal: AbortSignal) =>
    pause((monotonicMs() - sinceMs) * restPerWork, undefined, { signal }).catch(() => undefined)
  /** Packs a few days at most. The job then reads messages before it packs more, because warnings wait for those. */
  const packSome = async (): Promise<void> => {
    const began = monotonicMs()
    if (began < packing.againAtMs) return
    packing.isMore = await packDays(databases, clock.now().getTime())
    const ended = monotonicMs()
    packing.againAtMs = ended + (packing.isMore ? (ended - began) * restPerWork : packEveryMs)
  }
  const readNext = async (many: ManyWrites) => {
    const touched = new Set<string>()
    const found = await readSlice(many.db, defaultSlice, touched)
    await follow(many, [...touched])
    return found
  }

  const queue = jobs.register({
    name: 'segments',
    looksWithinMs: afterMs,
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run(_job, { signal }) {
      for (let i = 0; i < slicesPerRun; i += 1) {
        if (signal.aborted) return undefined
        const began = monotonicMs()
        const found = await writes.runMany(systemActor('segments'), readNext, { isForMany: true })
        if (found === 'slice') {
          if (progressOf(await readProgress(databases.read))) await rest(began, signal)
          continue
        }
        await packSome()
        return found === 'rest' || packing.isMore ? { kind: 'again', afterMs } : undefined
      }
      return { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs }),
  })
  const add = (trx: Db) => queue.add(trx, installation, [{ payload: {}, uniqueKey, dueAt: isoIn(clock, afterMs) }])
  const listener: TransactionListener<Heard> = {
    name: 'segments of conversations',
    on: [
      'message.received',
      'message.sent',
      'message.sentToMany',
      'message.noted',
      'conversation.activity',
      'contact.merged',
      'contact.parted',
    ],
    async handle({ db, afterCommit }) {
      if (await add(db)) afterCommit(queue.wake)
    },
  }
  return {
    listener,
    /**
     * Queues the job if messages are unread or past days are not packed: the update that introduced them is new, or a
     * process ended before it had read the messages.
     */
    async start(): Promise<void> {
      try {
        const { read } = databases
        const isBehind = (await isAnyUnread(read)) || (await isAnyUnpacked(read, clock.now().getTime()))
        if (isBehind && (await inTransaction(databases, add))) queue.wake()
      } catch (error) {
        log.error({ err: error }, 'queueing the segment update failed; the next message will queue it')
      }
    },
  }
}
