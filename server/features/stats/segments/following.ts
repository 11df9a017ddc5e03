import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, monotonicMs } from '#server/platform/time/clock.ts'
import { isAnyUnread } from './progress-store.ts'
import { defaultSlice, readSlice } from './reading.ts'

interface FollowingParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}

/** What comes meanwhile waits, so that a burst of messages is read once. */
const afterMs = 2_000
/** After so many slices the job ends and comes again, so that others of its lane have a turn. */
const slicesPerRun = 50
/** With a backlog, such as an installation from before segments, it rests this many times as long as it worked. */
const restPerWork = 19

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

/** Keeps the segments of conversations up to date: reads messages into them a little after they came, in the background. */
export function createFollowing({ databases, jobs, clock, log }: FollowingParts) {
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
        const found = await inTransaction(databases, trx => readSlice(trx, defaultSlice), { isForMany: true })
        if (found === 'nothing') return undefined
        if (found === 'rest') return { kind: 'again', afterMs }
        await pause((monotonicMs() - began) * restPerWork, undefined, { signal }).catch(() => undefined)
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
    /** Messages that nobody has read, from before there were segments or from a process that ended. */
    async start(): Promise<void> {
      try {
        if ((await isAnyUnread(databases.read)) && (await inTransaction(databases, add))) queue.wake()
      } catch (error) {
        log.error({ err: error }, 'segments are brought up to date once the next message comes')
      }
    },
  }
}
