import { inTransaction } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { waIdOfSpelling } from '#server/whatsapp/serving/address.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isBusinessScopedId } from '#shared/kernel/phone.ts'
import { maxFaultsArmed, type SandboxState, type sandboxApi } from '#shared/simulator/api.ts'
import type { SandboxCustomer } from '#shared/simulator/phone.ts'
import {
  type Customer,
  ensureCustomer,
  findCustomer,
  findCustomerByBsuid,
  listCustomers,
  updateCustomer,
} from './customers/customer-store.ts'
import { actAsCustomer, requireWaId, windowEnd } from './customers/inbound-service.ts'
import {
  listCorrections,
  listEffects,
  listLastOnPhones,
  listMessages,
  listOnPhone,
  listOutgoing,
  type SandboxMessage,
} from './customers/message-store.ts'
import {
  lastMessagesOf,
  quotedBy,
  type TemplatesByKey,
  templateKey,
  templateNames,
  transcriptOf,
} from './customers/transcript.ts'
import { sandboxErrors } from './errors.ts'
import { insertFault, listFaults } from './faults/fault-store.ts'
import { simulatedFault } from './faults/faults.ts'
import { actAsAgent } from './graph/agent.ts'
import { signUp } from './graph/signup.ts'
import { findMediaBytes } from './media/media-store.ts'
import { changedBehaviour } from './numbers/behaviour.ts'
import { findConnectedNumber, type SandboxNumber, updateNumber } from './numbers/number-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'
import type { ReviewJobs } from './templates/reviews.ts'
import { decide } from './templates/template-review.ts'
import { findTemplate, listByNames } from './templates/template-store.ts'
import { metaJson } from './webhooks/serialize.ts'
import type { StatusJobs } from './webhooks/status-jobs.ts'
import { addressBookUpdate, capabilityUpdate } from './webhooks/statuses.ts'
import type { WebhookJobs } from './webhooks/webhook-jobs.ts'
import { ageNumber, deleteCustomers } from './whole-store.ts'
import type { Write } from './write-queue.ts'

const maxCustomers = 200
const threadPage = 50
const maxEffects = 500
/** Larger files are only named, because the reply is one JSON document. */
const maxShownBytes = 4 * 1024 * 1024
const maxOutbox = 1000

type ServiceParts = SandboxParts & { write: Write; statuses: StatusJobs; webhooks: WebhookJobs; reviews: ReviewJobs }

/**
 * The simulator's controls, for organizations with a simulated number.
 * @throws SANDBOX_NOT_CONNECTED (409) for others
 */
export function createSandboxService(parts: ServiceParts): ServiceOf<typeof sandboxApi, OrgCaller> {
  const { databases, clock, jobs, statuses, webhooks, reviews } = parts

  /** The components of the templates in these messages. */
  const templatesIn = async (orgId: string, messages: readonly SandboxMessage[]): Promise<TemplatesByKey> => {
    const found = await listByNames(databases.read, orgId, templateNames(messages))
    return new Map(found.map(one => [templateKey(one.name, one.language), one.components]))
  }

  const requireNumber = async (member: OrgCaller): Promise<SandboxNumber> => {
    const number = await findConnectedNumber(databases.read, member.orgId)
    if (!number) throw sandboxErrors.NOT_CONNECTED()
    return number
  }

  const stateOf = async (member: OrgCaller): Promise<SandboxState> => {
    const number = await requireNumber(member)
    return {
      phone: number.phone,
      phoneNumberId: number.phoneNumberId,
      wabaId: number.wabaId,
      graphUrl: parts.graphUrl?.() ?? '/sandbox/graph',
      behaviour: number.behaviour,
      armed: await listFaults(databases.read, number.orgId, maxFaultsArmed),
    }
  }

  /** The customer with this address; undefined: none. */
  const waIdAt = async (orgId: string, address: string): Promise<string | undefined> =>
    isBusinessScopedId(address)
      ? (await findCustomerByBsuid(databases.read, orgId, address))?.waId
      : waIdOfSpelling(address)

  const present = async (number: SandboxNumber, customers: readonly Customer[]): Promise<SandboxCustomer[]> => {
    const now = nowMs(clock)
    const waIds = customers.map(customer => customer.waId)
    const lasts = await listLastOnPhones(databases.read, number.orgId, waIds)
    const oldest = Math.min(...[...lasts.values()].map(message => message.seq))
    const corrections = lasts.size
      ? await listCorrections(databases.read, number.orgId, [...lasts.keys()], { after: oldest, limit: maxEffects })
      : []
    const messages = [...lasts.values()]
    const templates = await templatesIn(number.orgId, messages)
    const shown = lastMessagesOf(messages, corrections, { templates })
    return customers.map(customer => ({
      waId: customer.waId,
      displayPhone: displayPhone(customer.waId),
      bsuid: customer.bsuid,
      name: customer.name,
      username: customer.username,
      online: customer.isOnline,
      blocked: customer.blocksUs,
      blockedByUs: customer.isBlockedByUs,
      reads: customer.reads ?? number.behaviour.autoRead,
      withAgent: customer.isWithAgent,
      typingShown: customer.typingUntilMs !== null && customer.typingUntilMs > now,
      windowClosesAt: windowEnd(customer, now),
      last: shown.get(customer.waId) ?? null,
    }))
  }

  return {
    signUp: ({ orgId }, { body }) => signUp(parts, orgId, body.appId),

    getState: stateOf,

    async inbound(member, { body }) {
      const number = await requireNumber(member)
      const answer = await actAsCustomer(parts, number, body)
      jobs.wake()
      return answer
    },

    async actAsAgent(member, { body }) {
      const number = await requireNumber(member)
      const done = await parts.write(trx => actAsAgent({ statuses, webhooks }, trx, number, body, nowMs(clock)))
      jobs.wake()
      return done
    },

    async getToken(member) {
      const { orgId, connectionId, appId, phoneNumberId, wabaId } = await requireNumber(member)
      // A number that signed up like a real one has its token in the connection.
      const token = connectionId === null ? undefined : await parts.tokenOf(orgId, connectionId)
      if (token === undefined) throw sandboxErrors.NOT_CONNECTED()
      return { token, graphUrl: parts.graphUrl?.() ?? '/sandbox/graph', appId, phoneNumberId, wabaId }
    },

    async configure(member, { body }) {
      const number = await requireNumber(member)
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
      const number = await requireNumber(member)
      const fault = simulatedFault(body.code, body.mode)
      if (!fault) throw new InvalidInput([{ field: 'body.code', code: 'enum', params: {} }])
      await inTransaction(databases, async trx => {
        if ((await listFaults(trx, number.orgId, maxFaultsArmed)).length >= maxFaultsArmed)
          throw sandboxErrors.TOO_MANY_FAULTS({ params: { limit: maxFaultsArmed } })
        await insertFault(trx, number.orgId, fault, body.count ?? 1)
      })
      return stateOf(member)
    },

    async setPresence(member, { body }) {
      const number = await requireNumber(member)
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

    async moveClock(member, { body }) {
      const { orgId, connectionId } = await requireNumber(member)
      await ageNumber(databases, orgId, { ms: body.advanceMs, nowMs: nowMs(clock) })
      for (const some of [statuses, webhooks, reviews]) await some.bringForward(orgId, body.advanceMs)
      if (connectionId !== null) await parts.agePast(orgId, connectionId, body.advanceMs)
      jobs.wake()
      return { success: true }
    },

    async decideTemplate(member, { params, body }) {
      const number = await requireNumber(member)
      await inTransaction(databases, async trx => {
        const template = await findTemplate(trx, number.orgId, params.id)
        if (!template) throw sandboxErrors.TEMPLATE_NOT_FOUND()
        await decide(parts, trx, number, template, body, nowMs(clock))
      })
      jobs.wake()
      return { success: true }
    },

    async listCustomers(member) {
      const number = await requireNumber(member)
      return { items: await present(number, await listCustomers(databases.read, number.orgId, maxCustomers)) }
    },

    async getThread(member, { params, query }) {
      const number = await requireNumber(member)
      const { orgId } = number
      const customer = await findCustomer(databases.read, orgId, requireWaId(params.phone, 'params.phone'))
      if (!customer) throw sandboxErrors.CUSTOMER_NOT_FOUND()
      const found = await listOnPhone(databases.read, orgId, customer.waId, {
        before: query.before,
        limit: threadPage + 1,
      })
      const page = found.slice(0, threadPage).reverse()
      const [oldest] = page
      const [[shown], effects, quoted] = await Promise.all([
        present(number, [customer]),
        oldest ? listEffects(databases.read, orgId, customer.waId, { after: oldest.seq, limit: maxEffects }) : [],
        listMessages(databases.read, orgId, page.flatMap(quotedBy)),
      ])
      return {
        customer: shown as SandboxCustomer,
        items: transcriptOf({
          messages: page,
          effects,
          quoted,
          templates: await templatesIn(orgId, [...page, ...quoted]),
        }),
        before: found.length > threadPage && oldest ? oldest.seq : null,
      }
    },

    async getFile(member, { params }) {
      const { orgId } = await requireNumber(member)
      const file = await findMediaBytes(databases.read, orgId, params.id, nowMs(clock))
      if (!file) throw sandboxErrors.FILE_NOT_FOUND()
      const { mime, name, size, bytes } = file
      return { mime, name, size, dataBase64: size > maxShownBytes ? null : bytes.toString('base64') }
    },

    async listOutbox(member, { query }) {
      const { orgId } = await requireNumber(member)
      const waId = query.to === undefined ? undefined : await waIdAt(orgId, query.to)
      if (query.to !== undefined && waId === undefined) return { items: [], total: 0 }
      const { items, total } = await listOutgoing(databases.read, orgId, { waId, limit: query.limit ?? maxOutbox })
      return {
        items: items.map(message => ({
          wamid: message.wamid,
          to: message.recipient ?? message.waId,
          type: message.type,
          body: message.body,
          callback: message.callback,
          status: message.status,
          at: new Date(message.atMs).toISOString(),
        })),
        total,
      }
    },

    async reset(member) {
      const { orgId } = await requireNumber(member)
      for (const some of [statuses, webhooks]) await some.deleteAll(orgId)
      await deleteCustomers(databases, orgId)
      return { success: true }
    },
  }
}
