import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { maxFaultsArmed, type SandboxState, type sandboxApi } from '#shared/simulator/api.ts'
import { sandboxErrors } from '../errors.ts'
import { insertFault, listFaults } from '../faults/fault-store.ts'
import { simulatedFault } from '../faults/faults.ts'
import { signUp } from '../graph/signup.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import type { ReviewJobs } from '../templates/reviews.ts'
import { metaJson } from '../webhooks/serialize.ts'
import type { StatusJobs } from '../webhooks/status-jobs.ts'
import { capabilityUpdate } from '../webhooks/statuses.ts'
import type { WebhookJobs } from '../webhooks/webhook-jobs.ts'
import { ageNumber, deleteCustomers } from '../whole-store.ts'
import { changedBehaviour } from './behaviour.ts'
import { requireConnectedNumber, updateNumber } from './number-store.ts'

interface NumberCallsParts extends SandboxParts {
  readonly statuses: StatusJobs
  readonly webhooks: WebhookJobs
  readonly reviews: ReviewJobs
}

type NumberCalls = 'signUp' | 'getState' | 'getToken' | 'configure' | 'arm' | 'moveClock' | 'reset'

/**
 * The calls that set how the simulated number behaves: its settings, the errors of the next messages, and its clock.
 */
export function createNumberCalls(parts: NumberCallsParts): Pick<ServiceOf<typeof sandboxApi, OrgCaller>, NumberCalls> {
  const { databases, clock, jobs, statuses, webhooks, reviews } = parts

  const stateOf = async (member: OrgCaller): Promise<SandboxState> => {
    const number = await requireConnectedNumber(databases.read, member.orgId)
    return {
      phone: number.phone,
      phoneNumberId: number.phoneNumberId,
      wabaId: number.wabaId,
      graphUrl: parts.graphUrl?.() ?? '/sandbox/graph',
      behaviour: number.behaviour,
      armed: await listFaults(databases.read, number.orgId, maxFaultsArmed),
    }
  }

  return {
    signUp: ({ orgId }, { body }) => signUp(parts, orgId, body.appId),

    getState: stateOf,

    async getToken(member) {
      const { orgId, connectionId, appId, phoneNumberId, wabaId } = await requireConnectedNumber(
        databases.read,
        member.orgId,
      )
      // A number that signed up like a real one has its token in the connection.
      const token = connectionId === null ? undefined : await parts.tokenOf(orgId, connectionId)
      if (token === undefined) throw sandboxErrors.NOT_CONNECTED()
      return { token, graphUrl: parts.graphUrl?.() ?? '/sandbox/graph', appId, phoneNumberId, wabaId }
    },

    async configure(member, { body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      await inTransaction(databases, async trx => {
        await updateNumber(trx, number.orgId, { behaviour: changedBehaviour(number.behaviour, body) })
        // Customers who waited to read may do so now.
        if (body.autoRead) await statuses.hasten(trx, number.orgId)
        const { messagingLimit: tier } = body
        if (tier === undefined || tier === number.behaviour.messagingLimit || !number.isSubscribed) return
        await webhooks.add(trx, number.orgId, [{ body: metaJson(capabilityUpdate(number, tier, nowMs(clock))) }])
      })
      jobs.wake()
      return stateOf(member)
    },

    async arm(member, { body }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      const fault = simulatedFault(body.code, body.mode)
      if (!fault) throw new InvalidInput([{ field: 'body.code', code: 'enum', params: {} }])
      await inTransaction(databases, async trx => {
        if ((await listFaults(trx, number.orgId, maxFaultsArmed)).length >= maxFaultsArmed)
          throw sandboxErrors.TOO_MANY_FAULTS({ params: { limit: maxFaultsArmed } })
        await insertFault(trx, number.orgId, fault, body.count ?? 1)
      })
      return stateOf(member)
    },

    async moveClock(member, { body }) {
      const { orgId, connectionId } = await requireConnectedNumber(databases.read, member.orgId)
      await ageNumber(databases, orgId, { ms: body.advanceMs, nowMs: nowMs(clock) })
      for (const some of [statuses, webhooks, reviews]) await some.bringForward(orgId, body.advanceMs)
      if (connectionId !== null) await parts.agePast(orgId, connectionId, body.advanceMs)
      jobs.wake()
      return { success: true }
    },

    async reset(member) {
      const { orgId } = await requireConnectedNumber(databases.read, member.orgId)
      for (const some of [statuses, webhooks]) await some.deleteAll(orgId)
      await deleteCustomers(databases, orgId)
      return { success: true }
    },
  }
}
