import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import { actAsAgent } from '../graph/agent.ts'
import { requireConnectedNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import { metaJson } from '../webhooks/serialize.ts'
import type { StatusJobs } from '../webhooks/status-jobs.ts'
import { addressBookUpdate } from '../webhooks/statuses.ts'
import type { WebhookJobs } from '../webhooks/webhook-jobs.ts'
import type { Write } from '../write-queue.ts'
import { ensureCustomer, updateCustomer } from './customer-store.ts'
import { actAsCustomer, requireWaId } from './inbound-service.ts'

interface CustomerActsParts extends SandboxParts {
  readonly write: Write
  readonly statuses: StatusJobs
  readonly webhooks: WebhookJobs
}

type CustomerActs = 'inbound' | 'actAsAgent' | 'setPresence'

/** Members act in a customer's place, or in the place of the agent that Meta runs for the business. */
export function createCustomerActs(
  parts: CustomerActsParts,
): Pick<ServiceOf<typeof sandboxApi, OrgCaller>, CustomerActs> {
  const { databases, clock, jobs, statuses, webhooks } = parts
  return {
    async inbound(member, { body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      const answer = await actAsCustomer(parts, number, body)
      jobs.wake()
      return answer
    },

    async actAsAgent(member, { body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      const done = await parts.write(trx => actAsAgent({ statuses, webhooks }, trx, number, body, nowMs(clock)))
      jobs.wake()
      return done
    },

    async setPresence(member, { body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      const { orgId } = number
      const waId = requireWaId(body.from, 'body.from')
      await inTransaction(databases, async trx => {
        const known = await ensureCustomer(trx, orgId, waId, nowMs(clock))
        const username = body.username === undefined ? known.username : body.username.replace(/^@/, '') || null
        await updateCustomer(trx, orgId, waId, {
          isOnline: body.online,
          blocksUs: body.blocked,
          reads: body.reads,
          name: body.name?.trim(),
          username,
        })
        await statuses.hasten(trx, orgId, waId)
        if (body.addressBook === undefined || !number.isSubscribed) return
        const update = addressBookUpdate(number, { ...known, username }, body.addressBook.trim() || null, nowMs(clock))
        await webhooks.add(trx, orgId, [{ body: metaJson(update), orderKey: `address book ${waId}` }])
      })
      jobs.wake()
      return { success: true }
    },
  }
}
