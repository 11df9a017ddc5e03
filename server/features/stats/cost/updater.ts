import { setTimeout as pause } from 'node:timers/promises'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { createFollower } from '#server/platform/jobs/follower.ts'
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

const afterMs = 2_000
const slicesPerRun = 50
/** While an installation from before the sums is counted, the job rests 19 times as long as it works. */
const restPerWork = 19

type Heard = 'message.received' | 'message.sent' | 'message.sentToMany' | 'message.status' | 'contact.optedOut'

/** A background job that keeps the sums of sent messages up to date. */
export function createSentUpdater(parts: UpdaterParts) {
  const { databases, clock, notices } = parts
  const follower = createFollower(parts, {
    name: 'stats.sent',
    uniqueKey: 'sent',
    afterMs,
    slicesPerRun,
    async takeSlice(signal) {
      const began = monotonicMs()
      const { found, months } = await inTransaction(databases, trx => countSlice(trx, parts, defaultSlice), {
        isForMany: true,
      })
      for (const month of months) await notices.tell(month)
      if (found === 'nothing') return undefined
      if (found === 'rest') return { kind: 'again', afterMs }
      if (await countingOf(databases.read))
        await pause((monotonicMs() - began) * restPerWork, undefined, { signal }).catch(() => undefined)
      return 'slice'
    },
    async isBehind(db) {
      const { read, last } = await readCountingProgress(db)
      return read < last || (await listDueMessages(db, 1)).length > 0
    },
  })
  const listener: TransactionListener<Heard> = {
    name: 'sums of sent messages',
    on: ['message.received', 'message.sent', 'message.sentToMany', 'message.status', 'contact.optedOut'],
    async handle(write, events) {
      const { db, orgId } = write
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
      await follower.follow(write)
    },
  }
  return { listener, start: follower.start }
}
