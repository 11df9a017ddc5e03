import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, monotonicMs } from '#server/platform/time/clock.ts'
import { answersBulkWithinMs } from '#shared/stats/definitions.ts'
import { type CountingParts, countSlice, defaultSlice } from './counting.ts'
import { findLastTemplates } from './last-template-store.ts'
import { countingOf } from './progress.ts'
import type { ReplyNotices } from './reply-notices.ts'
import { addDueMessages, listDueMessages, readCountingProgress } from './sent-store.ts'

interface UpdaterParts extends CountingParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
  readonly notices: ReplyNotices
}

/** The job waits this long after a message, so that one run counts a burst of messages. */
const afterMs = 2_000
const slicesPerRun = 50
/** While an installation from before the sums is counted, the job rests 19 times as long as it works. */
const restPerWork = 19

/** The job belongs to no organization: it counts the messages of all. */
const installation = ''

type Heard = 'message.received' | 'message.sent' | 'message.sentToMany' | 'message.status' | 'contact.optedOut'

/** A background job that keeps the sums of sent messages up to date. */
export function createSentUpdater(parts: UpdaterParts) {
  const { databases, jobs, clock, log, notices } = parts
  const queue = jobs.register({
    name: 'stats.sent',
    looksWithinMs: afterMs,
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run(_job, { signal }) {
      for (let i = 0; i < slicesPerRun; i += 1) {
        if (signal.aborted) return undefined
        const began = monotonicMs()
        const { found, months } = await inTransaction(databases, trx => countSlice(trx, parts, defaultSlice), {
          isForMany: true,
        })
        for (const month of months) await notices.tell(month)
        if (found === 'nothing') return undefined
        if (found === 'rest') return { kind: 'again', afterMs }
        if (await countingOf(databases.read))
          await pause((monotonicMs() - began) * restPerWork, undefined, { signal }).catch(() => undefined)
      }
      return { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs }),
  })
  const add = (trx: Db) =>
    queue.add(trx, installation, [{ payload: {}, uniqueKey: 'sent', dueAt: isoIn(clock, afterMs) }])

  const listener: TransactionListener<Heard> = {
    name: 'sums of sent messages',
    on: ['message.received', 'message.sent', 'message.sentToMany', 'message.status', 'contact.optedOut'],
    async handle({ db, orgId, afterCommit }, events) {
      const of = <T extends Heard>(type: T) =>
        events.filter((event): event is EventOf<T> & typeof event => event.type === type)
      const changed = new Set(of('message.status').map(({ data }) => data.id))
      await addDueMessages(
        db,
        [...changed].map(messageId => ({ messageId })),
        { orgId, optedOut: 0 },
      )
      const left = of('contact.optedOut').flatMap(({ data }) => data.conversationId ?? [])
      if (left.length) {
        const sent = await findLastTemplates(db, left, { orgId, since: isoIn(clock, -answersBulkWithinMs) })
        await addDueMessages(
          db,
          sent.map(({ id }) => ({ messageId: id })),
          { orgId, optedOut: 1 },
        )
      }
      if (await add(db)) afterCommit(queue.wake)
    },
  }
  return {
    listener,
    /** Counts messages from before the sums, or that a stopped process left. */
    async start(): Promise<void> {
      try {
        const { read, last } = await readCountingProgress(databases.read)
        const isBehind = read < last || (await listDueMessages(databases.read, 1)).length > 0
        if (isBehind && (await inTransaction(databases, add))) queue.wake()
      } catch (error) {
        log.error({ err: error }, 'sums of sent messages could not be resumed; the next message resumes them')
      }
    },
  }
}
