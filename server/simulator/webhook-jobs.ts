import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { NewJob, Outcome } from '../platform/jobs/job.ts'
import { deliverOnce } from './deliver.ts'
import { findConnectedNumber } from './number-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'

const second = 1000
const minute = 60 * second

/** Growing gaps after each failure; what is older than Meta's horizon is dropped. @see Meta, "Webhooks › Retries" */
const gapsMs = [second, 5 * second, minute, 5 * minute, 15 * minute, 60 * minute]
const horizonMs = 36 * 60 * minute

const gapAfter = (tries: number): number => gapsMs[Math.min(tries, gapsMs.length) - 1] ?? second

const Webhook = Type.Object({ body: Type.String(), tried: Type.Integer() })

export interface NewWebhook {
  readonly body: string
  /** Webhooks of one key leave one after another; one that was refused lets those behind it pass. */
  readonly orderKey?: string
  /** Left and was refused so many times already. */
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
  /** They leave right after this write's commit, as far as there is room. */
  addAndBegin(write: OrgWrite, webhooks: readonly NewWebhook[]): Promise<void>
  bringForward(orgId: string, ms: number): Promise<void>
  deleteAll(orgId: string): Promise<void>
}

/**
 * Webhooks on their way into the product, several at once. A row goes when it was answered with 200, or when there is
 * nobody left who would be called; else it waits for its next try.
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
    // Whoever answers slowly leaves places to the other organizations.
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
