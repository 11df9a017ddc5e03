import type { Db } from '#server/platform/db/database.ts'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import type { Job, Outcome } from '#server/platform/jobs/job.ts'
import { rankOf } from '#server/platform/jobs/lane.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { unconfirmedCode } from '#server/whatsapp/errors/code-meanings.ts'
import { waitingReasonOf } from '#server/whatsapp/errors/errors.ts'
import type { Accepted, WhatsAppError } from '#server/whatsapp/provider.ts'
import type { WaitingReason } from '#shared/inbox/messages.ts'
import { acceptAttempts, dropAttempt, endAttempt, endOpenAttempts } from './attempt-store.ts'
import { paceKeyConnection } from './numbers.ts'
import type { Decision } from './retry.ts'
import { isStillWaiting } from './store.ts'

/** A change of a message's delivery. `applyDelivery` decides what it means for the stored message. */
type OutboxDelivery =
  | { kind: 'accepted'; wamid: string; at: string; waId?: string; bsuid?: string }
  | { kind: 'failed'; code: string; detail?: string; at: string }
  | { kind: 'unconfirmed'; at: string }
  | { kind: 'waiting'; reason: WaitingReason; until: string; at: string }

export interface SendOutcomeParts {
  clock: Clock
  applyDelivery(
    write: OrgWrite,
    target: { messageId: string },
    change: OutboxDelivery,
    parts: { clock: Clock },
  ): Promise<void>
  /** Does `applyDelivery` for many messages that WhatsApp accepted. */
  applyAccepted(
    write: OrgWrite,
    many: readonly ({ messageId: string; at: string } & Accepted)[],
    parts: { clock: Clock },
  ): Promise<void>
  /** Stops sending from the number for `ms`. */
  pauseNumber(trx: Db, orgId: string, paceKey: string, ms: number): Promise<void>
  /** Schedules the time at which the message counts as failed, unless a status arrives before. */
  scheduleUnconfirmedTimeout(trx: Db, orgId: string, messageId: string, dueAt: string): Promise<unknown>
}

export type SendJob = Job<{ messageId: string }>

interface AcceptedCall {
  readonly job: SendJob
  readonly callback: string
  readonly accepted: Accepted
}

/** An unconfirmed message counts as failed after this time without a status. */
export const unconfirmedTimeoutMs = 10 * 60 * 1000

/** The ways in which a message's job ends. Each writes the attempt, the message and the events in one commit. */
export function createSendOutcomes(parts: SendOutcomeParts) {
  const { clock } = parts

  const deliver = (writes: ManyWrites, { orgId, payload }: SendJob, change: OutboxDelivery): Promise<void> =>
    parts.applyDelivery(writes.of(orgId), payload, change, { clock })

  /** Does nothing if a status arrived before the answer. */
  const deliverUnlessSettled = async (writes: ManyWrites, job: SendJob, change: OutboxDelivery): Promise<boolean> => {
    if (!(await isStillWaiting(writes.db, job.payload.messageId))) return false
    await deliver(writes, job, change)
    return true
  }

  const markUnconfirmed = async (writes: ManyWrites, job: SendJob) => {
    if (!(await deliverUnlessSettled(writes, job, { kind: 'unconfirmed', at: isoNow(clock) }))) return
    await parts.scheduleUnconfirmedTimeout(
      writes.db,
      job.orgId,
      job.payload.messageId,
      isoIn(clock, unconfirmedTimeoutMs),
    )
  }

  /** Jobs of several organizations. The number of statements does not grow with the number of messages. */
  const writeAccepted = async (writes: ManyWrites, calls: readonly AcceptedCall[]) => {
    const at = isoNow(clock)
    await acceptAttempts(
      writes.db,
      calls.map(({ callback, accepted }) => ({ callback, wamid: accepted.wamid })),
      { at },
    )
    for (const [orgId, some] of Map.groupBy(calls, ({ job }) => job.orgId))
      await parts.applyAccepted(
        writes.of(orgId),
        some.map(({ job, accepted }) => ({ messageId: job.payload.messageId, at, ...accepted })),
        { clock },
      )
  }

  return {
    accepted: (job: SendJob, callback: string, accepted: Accepted): Outcome => ({
      kind: 'done',
      // At thousands of bulk messages a minute, finished jobs would fill the table for a day. The attempt row says the
      // same.
      ...(job.rank === rankOf('bulk') ? { isKept: false } : {}),
      together: { write: writeAccepted, item: { job, callback, accepted } satisfies AcceptedCall },
    }),

    refused(
      job: SendJob,
      { callback, attemptedAt }: { callback: string; attemptedAt: string },
      error: WhatsAppError,
      decision: Decision,
    ): Outcome {
      const end = (db: Db) =>
        endAttempt(db, callback, {
          at: isoNow(clock),
          outcome: decision.kind,
          httpStatus: error.httpStatus,
          errorCode: error.code,
          errorDetail: error.detail ?? error.message,
        })
      if (decision.kind === 'retry')
        return {
          kind: 'retry',
          afterMs: decision.afterMs,
          reason: error.code,
          async write(writes) {
            await end(writes.db)
            if (decision.afterMs > 0)
              await deliver(writes, job, {
                kind: 'waiting',
                reason: waitingReasonOf(error.code),
                until: isoIn(clock, decision.afterMs),
                at: isoNow(clock),
              })
            if (!decision.pausesNumberMs) return
            await parts.pauseNumber(writes.db, job.orgId, job.paceKey, decision.pausesNumberMs)
            const until = isoIn(clock, decision.pausesNumberMs)
            const connectionId = paceKeyConnection(job.paceKey)
            writes.of(job.orgId).emit({ type: 'connection.paused', data: { connectionId, until, attemptedAt } })
          },
        }
      if (decision.kind === 'unknown')
        return {
          kind: 'done',
          async write(writes) {
            await end(writes.db)
            await markUnconfirmed(writes, job)
          },
        }
      const { code, detail } = decision
      return {
        kind: 'failed',
        reason: code,
        async write(writes) {
          await end(writes.db)
          await deliverUnlessSettled(writes, job, { kind: 'failed', code, detail, at: isoNow(clock) })
        },
      }
    },

    /** The request may have left and its outcome is unknown. It is never sent again. */
    unknown: (job: SendJob): Outcome => ({
      kind: 'done',
      async write(writes) {
        await endOpenAttempts(writes.db, job.payload.messageId, isoNow(clock))
        await markUnconfirmed(writes, job)
      },
    }),

    /** Nothing was requested. Without a code the message's status stays as it is. */
    unsent(job: SendJob, code: string | undefined, callback?: string): Outcome {
      const write = async (writes: ManyWrites) => {
        if (callback) await dropAttempt(writes.db, callback)
        if (code !== undefined) await deliver(writes, job, { kind: 'failed', code, at: isoNow(clock) })
      }
      return code === undefined ? { kind: 'done', write } : { kind: 'failed', reason: code, write }
    },

    /** Nothing was requested, for a reason on our side. The job is retried. */
    retryLater: (callback: string, afterMs: number, reason: string): Outcome => ({
      kind: 'retry',
      afterMs,
      reason,
      write: writes => dropAttempt(writes.db, callback),
    }),

    /** Fails a message that is still unconfirmed. A later status corrects it. */
    unconfirmedTimeout: (job: SendJob): Outcome => ({
      kind: 'done',
      async write(writes) {
        await deliverUnlessSettled(writes, job, { kind: 'failed', code: unconfirmedCode, at: isoNow(clock) })
      },
    }),
  }
}
