import { setTimeout as pause } from 'node:timers/promises'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { ManyWrites } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { createFollower } from '#server/platform/jobs/follower.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, monotonicMs } from '#server/platform/time/clock.ts'
import { isAnyUnpacked, packDays } from '../packs/packer.ts'
import { countingProgress } from '../progress.ts'
import { isAnyDue, isAnyUnread, readProgress } from './progress-store.ts'
import { defaultSlice, readSlice } from './read-slice.ts'

interface UpdaterParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
  readonly writes: Pick<Writes, 'runMany'>
  /** Runs in the transaction that read messages of these conversations into segments. */
  follow(many: ManyWrites, conversationIds: readonly string[]): Promise<void>
}

const afterMs = 2_000
const slicesPerRun = 50
/** While an installation from before segments is read, and while days are packed, the job rests 19 times as long as it works. */
const restPerWork = 19
/** Conversations of many days change packed days with each message. Their packs are made again after this time. */
const packEveryMs = 60_000

type Heard =
  | 'message.received'
  | 'message.status'
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
export function createSegmentUpdater(parts: UpdaterParts) {
  const { databases, clock, writes, follow } = parts
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

  const follower = createFollower(parts, {
    name: 'segments',
    uniqueKey: 'message',
    afterMs,
    slicesPerRun,
    async takeSlice(signal) {
      const began = monotonicMs()
      const found = await writes.runMany(systemActor('segments'), readNext, { isForMany: true })
      if (found === 'slice') {
        if (countingProgress(await readProgress(databases.read))) await rest(began, signal)
        return found
      }
      await packSome()
      return found === 'rest' || packing.isMore ? { kind: 'again', afterMs } : undefined
    },
    isBehind: async db => (await isAnyUnread(db)) || (await isAnyUnpacked(db, clock.now().getTime())),
  })
  const listener: TransactionListener<Heard> = {
    name: 'segments of conversations',
    on: [
      'message.received',
      'message.status',
      'message.sent',
      'message.sentToMany',
      'message.noted',
      'conversation.activity',
      'contact.merged',
      'contact.parted',
    ],
    async handle(write, events) {
      // Few statuses change segments: those for which a trigger marked the conversation.
      if (events.every(({ type }) => type === 'message.status') && !(await isAnyDue(write.db))) return
      await follower.follow(write)
    },
  }
  return { listener, start: follower.start }
}
