import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import { createCustomerActs } from './customers/customer-acts.ts'
import { createPhoneViews } from './customers/phone-views.ts'
import { sandboxErrors } from './errors.ts'
import { createNumberCalls } from './numbers/number-calls.ts'
import { requireConnectedNumber } from './numbers/number-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'
import type { ReviewJobs } from './templates/reviews.ts'
import { decide } from './templates/template-review.ts'
import { findTemplate } from './templates/template-store.ts'
import type { StatusJobs } from './webhooks/status-jobs.ts'
import type { WebhookJobs } from './webhooks/webhook-jobs.ts'
import type { Write } from './write-queue.ts'

type ServiceParts = SandboxParts & { write: Write; statuses: StatusJobs; webhooks: WebhookJobs; reviews: ReviewJobs }

/**
 * The simulator's controls, for organizations with a simulated number.
 * @throws SANDBOX_NOT_CONNECTED (409) for others
 */
export function createSandboxService(parts: ServiceParts): ServiceOf<typeof sandboxApi, OrgCaller> {
  const { databases, clock, jobs } = parts
  return {
    ...createNumberCalls(parts),
    ...createCustomerActs(parts),
    ...createPhoneViews(parts),

    async decideTemplate(member, { params, body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      await inTransaction(databases, async trx => {
        const template = await findTemplate(trx, number.orgId, params.id)
        if (!template) throw sandboxErrors.TEMPLATE_NOT_FOUND()
        await decide(parts, trx, number, template, body, nowMs(clock))
      })
      jobs.wake()
      return { success: true }
    },
  }
}
