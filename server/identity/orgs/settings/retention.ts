import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { longestNightMs, maxCounted, nextNight, type retentionApi, retentionCutoff } from '#shared/orgs/retention.ts'
import { findRetention, saveRetentionRun } from './retention-store.ts'
import { saveSettings } from './store.ts'

interface RetentionParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly oldMessages: {
    count(
      orgId: string,
      before: string,
      most: number,
    ): Promise<{ messages: number; files: number; bytes: number; isMore: boolean }>
    /** Asks `mayGoOn` before each batch. Returns how many messages were deleted; undefined: stopped by `mayGoOn`. */
    remove(orgId: string, before: string, mayGoOn: () => Promise<boolean>): Promise<number | undefined>
  }
}

const troubleMs = 10 * 60_000
/** One job per organization, which runs again every night. */
const uniqueKey = 'nightly'

/** Deletes messages that are older than an organization keeps them, every night. */
export function createRetention(parts: RetentionParts): ServiceOf<typeof retentionApi, Member> {
  const { databases, clock, log, jobs, writes, oldMessages } = parts
  const msToNight = (timeZone: string): number => {
    const now = clock.now().getTime()
    return nextNight(now, timeZone) - now
  }

  const runNight = async (orgId: string, signal: AbortSignal): Promise<Outcome> => {
    const { months, timeZone } = await findRetention(databases.read, orgId)
    if (months === null) return { kind: 'done' }
    // A change of the setting while the job runs applies to the remaining messages.
    const mayGoOn = async () => !signal.aborted && (await findRetention(databases.read, orgId)).months === months
    const deleted = await oldMessages.remove(orgId, retentionCutoff(clock.now(), months), mayGoOn)
    if (deleted === undefined)
      return signal.aborted ? { kind: 'released' } : { kind: 'again', afterMs: msToNight(timeZone) }
    if (deleted) log.info({ orgId, deleted }, 'deleted messages older than the organization keeps')
    await writes.run(orgId, systemActor('retention'), async ({ db, emit }) => {
      await saveRetentionRun(db, orgId, { at: isoNow(clock), deleted })
      emit({ type: 'organization.changed', data: {} })
    })
    return { kind: 'again', afterMs: msToNight(timeZone) }
  }

  const nights = jobs.register({
    name: 'organization.retention',
    looksWithinMs: longestNightMs,
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    run: ({ orgId }, { signal }) =>
      runNight(orgId, signal).catch((error: unknown): Outcome => {
        log.error({ err: error, orgId }, 'deleting old messages failed; the job retries')
        return { kind: 'again', afterMs: troubleMs }
      }),
    lost: () => ({ kind: 'again', afterMs: troubleMs }),
  })

  const present = async (db: Db, orgId: string) => {
    const { months, ranAt, deleted, timeZone } = await findRetention(db, orgId)
    const now = clock.now().getTime()
    return {
      months,
      nextAt: months === null ? null : new Date(nextNight(now, timeZone)).toISOString(),
      lastRun: ranAt === null ? null : { at: ranAt, deletedMessages: deleted ?? 0 },
    }
  }

  return {
    getRetention: ({ orgId }) => present(databases.read, orgId),

    async previewRetention({ orgId }, { query: { months } }) {
      const before = retentionCutoff(clock.now(), months)
      const { timeZone } = await findRetention(databases.read, orgId)
      const startsAt = new Date(nextNight(clock.now().getTime(), timeZone)).toISOString()
      return { before, startsAt, ...(await oldMessages.count(orgId, before, maxCounted)) }
    },

    setRetention: (member, { body: { months } }) =>
      writes.run(member.orgId, actorOf(member), async ({ db, orgId, emit }) => {
        const before = await findRetention(db, orgId)
        if (before.months !== months) {
          await saveSettings(db, orgId, { retentionMonths: months }, isoNow(clock))
          // A running job notices by itself, and will run again every night.
          await nights.cancelWaiting(db, orgId, { uniqueKeys: [uniqueKey] })
          if (months !== null) {
            const dueAt = new Date(nextNight(clock.now().getTime(), before.timeZone)).toISOString()
            await nights.add(db, orgId, [{ payload: {}, uniqueKey, dueAt }])
          }
          emit({ type: 'organization.changed', data: {} })
        }
        return present(db, orgId)
      }),
  }
}
