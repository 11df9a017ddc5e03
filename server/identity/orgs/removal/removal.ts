import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { getOrganization } from '../members/store.ts'
import {
  batches,
  deleteBatch,
  deleteOrganization,
  hideOrganization,
  listInterruptedCreations,
} from './removal-store.ts'

type Organization = Awaited<ReturnType<typeof getOrganization>>

interface RemovalParts {
  databases: Databases
  clock: Clock
  log: Log
  jobs: Jobs
  /** Drops cached connections. */
  forgetNumbers(): void
  removeFiles(orgId: string): Promise<void>
}

/** A pause between batches lets other writers in. */
const restMs = 10
const troubleMs = 30_000
/** A creation that is under way may take this long. */
const interruptedAfterMs = 60_000
const interruptedEveryMs = 60 * 60_000
/** The organization's own jobs are deleted with it, so this job belongs to none. */
const installation = ''

/** Deletes an organization: hides it in one small transaction, which adds a job that deletes the rows in batches. */
export function createRemoval({ databases, clock, log, jobs, forgetNumbers, removeFiles }: RemovalParts) {
  const deleteRows = async (orgId: string, signal: AbortSignal): Promise<Outcome> => {
    for (const batch of batches)
      for (let gone: number = batch.rows; gone === batch.rows; await pause(restMs)) {
        if (signal.aborted) return { kind: 'released' }
        gone = await inTransaction(databases, trx => deleteBatch(trx, orgId, batch))
      }
    await removeFiles(orgId)
    await inTransaction(databases, trx => deleteOrganization(trx, orgId))
    log.info({ orgId }, 'an organization was deleted with all its rows')
    return { kind: 'done' }
  }

  const removals = jobs.register({
    name: 'organization.removal',
    looksWithinMs: longestGapMs,
    payload: Type.Object({ orgId: Type.String() }),
    atOnce: 1,
    run: ({ payload }, { signal }) =>
      deleteRows(payload.orgId, signal).catch((error: unknown): Outcome => {
        log.error({ err: error, orgId: payload.orgId }, 'deleting an organization failed; the job retries')
        return { kind: 'retry', afterMs: troubleMs, reason: errorReason(error) }
      }),
    lost: () => ({ kind: 'retry', afterMs: 0, reason: 'LOST' }),
  })

  /**
   * Hides an organization; returns it as it was, undefined if already hidden.
   * @throws if there is none
   */
  const hide = async (orgId: string): Promise<Organization | undefined> => {
    const hidden = await inTransaction(databases, async trx => {
      const org = await getOrganization(trx, orgId)
      if (!(await hideOrganization(trx, orgId, isoNow(clock)))) return undefined
      await removals.add(trx, installation, [{ payload: { orgId }, uniqueKey: orgId }])
      return org
    })
    if (hidden) forgetNumbers()
    removals.wake()
    return hidden
  }

  /** Deletes organizations whose creation was interrupted, which frees their slug. */
  const interrupted = jobs.register({
    name: 'organization.halfMade',
    looksWithinMs: interruptedEveryMs,
    payload: Type.Object({}),
    atOnce: 1,
    async run() {
      for (const { id } of await listInterruptedCreations(databases.read, isoIn(clock, -interruptedAfterMs))) {
        log.warn({ orgId: id }, 'deleting an organization whose creation was interrupted')
        await hide(id)
      }
      return { kind: 'again', afterMs: interruptedEveryMs }
    },
    lost: () => ({ kind: 'again', afterMs: interruptedAfterMs }),
  })

  return {
    hide,
    /**
     * Schedules the search for interrupted creations: a minute after the start, and then every hour. After that minute,
     * every creation that the previous process left unfinished is old enough to be deleted.
     */
    async start(): Promise<void> {
      try {
        await inTransaction(databases, async trx => {
          await interrupted.cancelWaiting(trx, installation, {})
          const dueAt = isoIn(clock, interruptedAfterMs)
          await interrupted.add(trx, installation, [{ payload: {}, uniqueKey: 'all', dueAt }])
        })
      } catch (error) {
        log.error({ err: error }, 'scheduling the search for interrupted creations failed; the next start tries again')
      }
    },
  }
}
