import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { reasonOf } from '#server/platform/http/reason.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { getOrganization } from './member-store.ts'
import { batches, deleteBatch, deleteOrganization, hideOrganization, listHalfMade } from './removal-store.ts'

type Organization = Awaited<ReturnType<typeof getOrganization>>

export interface RemovalParts {
  databases: Databases
  clock: Clock
  log: Log
  jobs: Jobs
  /** What is kept in memory of numbers must be asked again. */
  forgetNumbers(): void
  removeFiles(orgId: string): Promise<void>
}

/** Between two batches everybody else writes. */
const restMs = 10
const troubleMs = 30_000
/** A creation under way takes a moment. */
const halfMadeAfterMs = 60_000
const halfMadeEveryMs = 60 * 60_000
/** What ends an organization is the installation's own: the organization's jobs go with it. */
const installation = ''

/**
 * The end of an organization: out of sight in one small transaction, its rows a few hundred at a time afterwards, by a
 * job of that transaction.
 */
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
        log.error({ err: error, orgId: payload.orgId }, 'the deletion of an organization waits')
        return { kind: 'retry', afterMs: troubleMs, reason: reasonOf(error) }
      }),
    lost: () => ({ kind: 'retry', afterMs: 0, reason: 'LOST' }),
  })

  /**
   * Takes an organization out of sight; answers it as it was, undefined when it is out of sight already.
   * @throws when there is none of that id
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

  /** What its maker left half made can be made anew. */
  const halfMade = jobs.register({
    name: 'organization.halfMade',
    looksWithinMs: halfMadeEveryMs,
    payload: Type.Object({}),
    atOnce: 1,
    async run() {
      for (const { id } of await listHalfMade(databases.read, isoIn(clock, -halfMadeAfterMs))) {
        log.warn({ orgId: id }, 'an organization that was never finished is deleted')
        await hide(id)
      }
      return { kind: 'again', afterMs: halfMadeEveryMs }
    },
    lost: () => ({ kind: 'again', afterMs: halfMadeAfterMs }),
  })

  return {
    hide,
    /** Looks for what is half made as soon as nobody can be at it any more, and every hour. */
    async start(): Promise<void> {
      try {
        await inTransaction(databases, async trx => {
          await halfMade.cancelWaiting(trx, installation, {})
          const dueAt = isoIn(clock, halfMadeAfterMs)
          await halfMade.add(trx, installation, [{ payload: {}, uniqueKey: 'all', dueAt }])
        })
      } catch (error) {
        log.error({ err: error }, 'half made organizations are looked for at the next start')
      }
    },
  }
}
