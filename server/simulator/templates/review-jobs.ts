import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { findConnectedNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import type { WebhookJobs } from '../webhooks/webhook-jobs.ts'
import type { ReviewJobs } from './reviews.ts'
import { decide, longestReviewMs, reviewVerdict } from './template-review.ts'
import { findTemplate, saveTemplate } from './template-store.ts'

/** Ends reviews and pauses of templates when they are due. */
export function createReviewJobs(
  parts: Pick<SandboxParts, 'databases' | 'clock' | 'jobs'> & { webhooks: Pick<WebhookJobs, 'add'> },
): ReviewJobs {
  const { databases, clock, webhooks } = parts

  const end = async (trx: Db, orgId: string, templateId: string) => {
    const now = nowMs(clock)
    const template = await findTemplate(trx, orgId, templateId)
    if (!template || template.reviewMs === null || template.reviewMs > now) return
    const number = await findConnectedNumber(trx, orgId)
    if (number) await decide({ webhooks, reviews }, trx, number, template, reviewVerdict(template), now)
    else await saveTemplate(trx, { ...template, reviewMs: null })
  }

  const queue = parts.jobs.register({
    name: 'simulator.review',
    looksWithinMs: longestReviewMs,
    payload: Type.Object({ templateId: Type.String() }),
    atOnce: 8,
    isKept: false,
    async run({ orgId, payload }): Promise<Outcome | undefined> {
      const template = await findTemplate(databases.read, orgId, payload.templateId)
      if (!template || template.reviewMs === null) return undefined
      const afterMs = Math.min(template.reviewMs - nowMs(clock), longestReviewMs)
      if (afterMs > 0) return { kind: 'again', afterMs }
      return { kind: 'done', write: ({ db }) => end(db, orgId, payload.templateId) }
    },
  })

  const reviews: ReviewJobs = {
    async plan(trx, { orgId, id, reviewMs }) {
      await queue.cancel(trx, orgId, [id])
      if (reviewMs === null) return
      const dueAt = new Date(reviewMs).toISOString()
      await queue.add(trx, orgId, [{ payload: { templateId: id }, uniqueKey: id, dueAt }])
    },
    bringForward: queue.bringForward,
  }
  return reviews
}
