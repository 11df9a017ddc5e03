import { type Static, Type } from 'typebox'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { JobQueue, Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Uploads } from '../media/uploads.ts'
import { notConnected, numberKey } from './numbers.ts'

export interface GivingUpParts {
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly uploads: Pick<Uploads, 'cancel'>
  readonly messages: Pick<JobQueue<unknown>, 'cancelPaced'>
  readonly clock: Clock
  failMessages(write: OrgWrite, ids: readonly string[], code: string, parts: { clock: Clock }): Promise<void>
}

/** Each makes an event, which is heard in the same write. */
const givenUpAtOnce = 40

const Gone = Type.Object({ connectionId: Type.String(), after: Type.String() })

/** Fails what waits for a number that goes: some in the write that lets it go, the rest in batches of a job. */
export function createGivingUp({ jobs, writes, uploads, messages, clock, failMessages }: GivingUpParts) {
  /** Answers where to go on; undefined: nothing is left. */
  const giveUpSome = async (write: OrgWrite, { connectionId, after }: Static<typeof Gone>, before: number) => {
    const page = { paceKey: numberKey(connectionId), after, before, limit: givenUpAtOnce }
    const messageIds = await messages.cancelPaced(write.db, write.orgId, page)
    await uploads.cancel(write.db, write.orgId, messageIds)
    await failMessages(write, messageIds, notConnected, { clock })
    return messageIds.length < givenUpAtOnce ? undefined : messageIds.at(-1)
  }

  const gone = jobs.register<typeof Gone, undefined>({
    name: 'outbox.gone',
    looksWithinMs: longestGapMs,
    payload: Gone,
    lane: 'person',
    atOnce: 2,
    isKept: false,
    async run({ orgId, payload, seq }, { signal }) {
      const next = { ...payload }
      while (!signal.aborted) {
        // What was added after it belongs to the number as it was connected again.
        const last = await writes.run(orgId, systemActor('outbox'), write => giveUpSome(write, next, seq))
        if (last === undefined) return undefined
        next.after = last
      }
      return { kind: 'released' }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return async (write: OrgWrite, connectionId: string): Promise<void> => {
    const after = await giveUpSome(write, { connectionId, after: '' }, Number.MAX_SAFE_INTEGER)
    if (after === undefined) return
    await gone.add(write.db, write.orgId, [{ payload: { connectionId, after } }])
    write.afterCommit(jobs.wake)
  }
}
