import type { OrgCaller } from '#server/platform/http/actor.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { waIdOfSpelling } from '#server/whatsapp/serving/address.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isBusinessScopedId } from '#shared/kernel/phone.ts'
import type { sandboxApi } from '#shared/simulator/api.ts'
import type { SandboxCustomer } from '#shared/simulator/phone.ts'
import { sandboxErrors } from '../errors.ts'
import { findMediaBytes } from '../media/media-store.ts'
import { requireConnectedNumber, type SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, type SandboxParts } from '../parts.ts'
import { listByNames } from '../templates/template-store.ts'
import { type Customer, findCustomer, findCustomerByBsuid, listCustomers } from './customer-store.ts'
import { requireWaId, windowEnd } from './inbound-service.ts'
import {
  listCorrections,
  listEffects,
  listLastOnPhones,
  listMessages,
  listOnPhone,
  listOutgoing,
  type SandboxMessage,
} from './message-store.ts'
import {
  lastMessagesOf,
  quotedBy,
  type TemplatesByKey,
  templateKey,
  templateNames,
  transcriptOf,
} from './transcript.ts'

const maxCustomers = 200
const threadPage = 50
const maxEffects = 500
/** Larger files are only named, because the reply is one JSON document. */
const maxShownBytes = 4 * 1024 * 1024
const maxOutbox = 1000

type PhoneViews = 'listCustomers' | 'getThread' | 'getFile' | 'listOutbox'

/** The views of the customers' phones, and the list of what the product sent to them. */
export function createPhoneViews({
  databases,
  clock,
}: Pick<SandboxParts, 'databases' | 'clock'>): Pick<ServiceOf<typeof sandboxApi, OrgCaller>, PhoneViews> {
  /** The components of the templates in these messages. */
  const templatesIn = async (orgId: string, messages: readonly SandboxMessage[]): Promise<TemplatesByKey> => {
    const found = await listByNames(databases.read, orgId, templateNames(messages))
    return new Map(found.map(one => [templateKey(one.name, one.language), one.components]))
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
    async listCustomers(member) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
      return { items: await present(number, await listCustomers(databases.read, number.orgId, maxCustomers)) }
    },

    async getThread(member, { params, query }) {
      const number = await requireConnectedNumber(databases.read, member.orgId)
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
      const { orgId } = await requireConnectedNumber(databases.read, member.orgId)
      const file = await findMediaBytes(databases.read, orgId, params.id, nowMs(clock))
      if (!file) throw sandboxErrors.FILE_NOT_FOUND()
      const { mime, name, size, bytes } = file
      return { mime, name, size, dataBase64: size > maxShownBytes ? null : bytes.toString('base64') }
    },

    async listOutbox(member, { query }) {
      const { orgId } = await requireConnectedNumber(databases.read, member.orgId)
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
  }
}
