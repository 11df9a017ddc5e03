import { type Static, Type } from 'typebox'
import type { Uploads } from '#server/messaging/media/uploads.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { JobQueue, Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { notConnected, numberKey } from './numbers.ts'

export interface FailQueuedParts {
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly uploads: Pick<Uploads, 'cancel'>
  readonly messages: Pick<JobQueue<unknown>, 'cancelPaced'>
  readonly clock: Clock
  failMessages(write: OrgWrite, ids: readonly string[], code: string, parts: { clock: Clock }): Promise<void>
}

/** Each emits an event whose listeners run in the same transaction. */
const batchSize = 40

const Rest = Type.Object({ connectionId: Type.String(), after: Type.String() })

/**
 * Fails all queued messages of a number that is being disconnected: the first batch in the caller's transaction, the
 * others by a job.
 */
export function createFailQueued({ jobs, writes, uploads, messages, clock, failMessages }: FailQueuedParts) {
  /** The id to continue after. Undefined: none is left. */
  const failBatch = async (write: OrgWrite, { connectionId, after }: Static<typeof Rest>, before: number) => {
    const page = { paceKey: numberKey(connectionId), after, before, limit: batchSize }
    const messageIds = await messages.cancelPaced(write.db, write.orgId, page)
    await uploads.cancel(write.db, write.orgId, messageIds)
    await failMessages(write, messageIds, notConnected, { clock })
    return messageIds.length < batchSize ? undefined : messageIds.at(-1)
  }

  const rest = jobs.register<typeof Rest, undefined>({
    name: 'outbox.gone',
    looksWithinMs: longestGapMs,
    payload: Rest,
    lane: 'person',
    atOnce: 2,
    isKept: false,
    async run({ orgId, payload, seq }, { signal }) {
      const next = { ...payload }
      while (!signal.aborted) {
        // Messages added after this job belong to the number after it was connected again.
        const last = await writes.run(orgId, systemActor('outbox'), write => failBatch(write, next, seq))
        if (last === undefined) return undefined
        next.after = last
      }
      return { kind: 'released' }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return async (write: OrgWrite, connectionId: string): Promise<void> => {
    const after = await failBatch(write, { connectionId, after: '' }, Number.MAX_SAFE_INTEGER)
    if (after === undefined) return
    await rest.add(write.db, write.orgId, [{ payload: { connectionId, after } }])
    write.afterCommit(jobs.wake)
  }
}
