import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { NewJob, Outcome } from '#server/platform/jobs/job.ts'
import { findConnectedNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import { deliverOnce } from './deliver.ts'

const second = 1000
const minute = 60 * second

/** Growing delays after each failure. Webhooks older than Meta's limit are dropped. @see Meta, "Webhooks › Retries" */
const gapsMs = [second, 5 * second, minute, 5 * minute, 15 * minute, 60 * minute]
const horizonMs = 36 * 60 * minute

const gapAfter = (tries: number): number => gapsMs[Math.min(tries, gapsMs.length) - 1] ?? second

const Webhook = Type.Object({ body: Type.String(), tried: Type.Integer() })

export interface NewWebhook {
  readonly body: string
  /** Webhooks with one key are sent one after another, but a refused one does not block those behind it. */
  readonly orderKey?: string
  /** Earlier deliveries of this webhook that were refused; absent: none. */
  readonly tried?: number
}

const newJobOf =
  (now: number) =>
  ({ body, orderKey, tried = 0 }: NewWebhook): NewJob<{ body: string; tried: number }> => ({
    payload: { body, tried },
    ...(orderKey === undefined ? {} : { orderKey }),
    ...(tried ? { dueAt: new Date(now + gapAfter(tried)).toISOString() } : {}),
  })

export interface WebhookJobs {
  add(trx: Db, orgId: string, webhooks: readonly NewWebhook[]): Promise<void>
  /** Sent right after this write's commit, as far as places are free. */
  addAndBegin(write: OrgWrite, webhooks: readonly NewWebhook[]): Promise<void>
  bringForward(orgId: string, ms: number): Promise<void>
  deleteAll(orgId: string): Promise<void>
}

/**
 * Sends webhooks to the product, several in parallel. A row is deleted when it was answered with 200 or has no
 * receiver; otherwise it is retried.
 */
export function createWebhookJobs(
  parts: Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'deliver' | 'jobs'>,
): WebhookJobs {
  const { databases, clock, log } = parts

  const statusOf = async (orgId: string, body: string): Promise<number> => {
    const number = await findConnectedNumber(databases.read, orgId)
    if (!number?.isSubscribed) return 200
    try {
      return await deliverOnce(parts, number, body)
    } catch (error) {
      log.error({ err: error, orgId }, 'a simulated webhook could not be signed')
      return 0
    }
  }

  const queue = parts.jobs.register({
    name: 'simulator.webhook',
    looksWithinMs: Math.max(...gapsMs),
    payload: Webhook,
    atOnce: 32,
    // Leaves places for other organizations when one answers slowly.
    perOrg: 24,
    isKept: false,
    hasGrace: true,
    async run({ orgId, payload, attempts, addedAt }): Promise<Outcome | undefined> {
      const status = await statusOf(orgId, payload.body)
      if (status === 200) return undefined
      const reason = `answered ${status}`
      if (nowMs(clock) - Date.parse(addedAt) > horizonMs) return { kind: 'failed', reason }
      return { kind: 'retry', reason, afterMs: gapAfter(payload.tried + attempts), letsPass: true }
    },
  })

  return {
    async add(trx, orgId, webhooks) {
      await queue.add(trx, orgId, webhooks.map(newJobOf(nowMs(clock))))
    },
    addAndBegin: (write, webhooks) => queue.addAndBegin(write, ...webhooks.map(newJobOf(nowMs(clock)))),
    bringForward: queue.bringForward,
    deleteAll: queue.deleteAll,
  }
}
