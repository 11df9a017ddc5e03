import { readMessagingLimit } from '#server/whatsapp/fields/messaging-limit.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import { webhookError } from '#server/whatsapp/serving/codes.ts'
import type { Customer } from '../customers/customer-store.ts'
import type { SandboxMessage } from '../customers/message-store.ts'
import { conversationIdOf } from '../ids.ts'
import type { Behaviour } from '../numbers/behaviour.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'

/** `sent`, `delivered`, `read`, `played` or `failed:131047`. */
export type Step = string

interface PlanFacts {
  type: string
  isVoice: boolean
  /** A code, `noStatus`, `sentThenFailed`, or undefined: no fault. */
  failure: string | undefined
  behaviour: Behaviour
}

/** A message's statuses, in order. A reaction gets only `sent`. */
export function planOf({ type, isVoice, failure, behaviour }: PlanFacts): Step[] {
  if (failure === 'noStatus') return []
  if (failure === 'sentThenFailed') return ['sent', 'failed:131026']
  if (failure !== undefined) return [`failed:${failure}`]
  if (type === 'reaction') return ['sent']
  const arriving = behaviour.skipDelivered
    ? ['sent']
    : behaviour.reorder
      ? ['delivered', 'sent']
      : ['sent', 'delivered']
  return [...arriving, 'read', ...(isVoice ? ['played'] : [])]
}

const delays: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 6, played: 2, failed: 2 }

/** The delay of a step after the one before. */
export const delayMs = (step: Step, behaviour: Behaviour): number =>
  behaviour.statusDelayMs * (delays[step.split(':')[0] as string] ?? 1)

/** False: the status must wait until the customer is online or reads. */
export const canHappen = (step: Step, customer: Customer, behaviour: Behaviour): boolean => {
  if (step === 'sent' || step.startsWith('failed')) return true
  if (!customer.isOnline) return false
  return step === 'delivered' || (customer.reads ?? behaviour.autoRead)
}

const dayMs = 86_400_000
/** The time since which Meta charges for answers within the window. @see Meta, "Pricing updates", 2026-10-01 */
const chargedFromMs = Date.parse('2026-10-01T00:00:00Z')

/** @param category the template's; null for a message without a template */
const pricingOf = (customer: Customer, atMs: number, category: string | null): Json => {
  if (isEntryOpen(customer, atMs))
    return { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'referral_conversion' }
  const isInWindow = customer.windowFromMs !== null && atMs < customer.windowFromMs + dayMs
  const isFreeBefore = category === null || (category === 'utility' && isInWindow)
  const isCharged = !isFreeBefore || atMs >= chargedFromMs
  return {
    billable: isCharged,
    pricing_model: 'PMP',
    type: isCharged ? 'regular' : 'free_customer_service',
    category: category ?? 'service',
  }
}

const isEntryOpen = (customer: Customer, atMs: number) => customer.entryUntilMs !== null && customer.entryUntilMs > atMs

const seconds = (ms: number): string => String(Math.floor(ms / 1000))

/** Up to v23 in every status, since v24 only within a free entry point. Only `sent` has the expiry. */
const conversationOf = (
  status: string,
  message: SandboxMessage,
  customer: Customer,
  version: string,
): Json | undefined => {
  const isEntry = isEntryOpen(customer, message.atMs)
  if (!isEntry && Number(version.slice(1)) >= 24) return undefined
  const end =
    isEntry && customer.entryUntilMs !== null ? customer.entryUntilMs : (customer.windowFromMs ?? message.atMs) + dayMs
  return {
    id: conversationIdOf(isEntry ? `${message.waId} ${customer.entryUntilMs}` : message.wamid),
    ...(status === 'sent' ? { expiration_timestamp: seconds(end) } : {}),
    origin: { type: isEntry ? 'referral_conversion' : 'service' },
  }
}

export interface StatusFacts {
  step: Step
  message: SandboxMessage
  customer: Customer
  /** The template's category in lower case. Null: the message has no template. */
  category: string | null
  /** True: `delivered` was or will be sent, so `read` has no price. */
  hasDelivered: boolean
  atMs: number
  behaviour: Behaviour
}

const recipientOf = (message: SandboxMessage, customer: Customer): Json =>
  message.recipient === null
    ? { recipient_id: message.waId, recipient_user_id: customer.bsuid }
    : { recipient_user_id: message.recipient }

/** An entry of `statuses`. @see Meta, "Webhooks › Status messages webhook reference" */
function statusEntry({ step, message, customer, category, hasDelivered, atMs, behaviour }: StatusFacts): Json {
  const [status, code] = step.split(':') as [string, string | undefined]
  const callback = message.callback === null ? {} : { biz_opaque_callback_data: message.callback }
  if (code !== undefined) {
    const recipient =
      message.recipient === null ? { recipient_id: message.waId } : { recipient_user_id: message.recipient }
    return {
      id: message.wamid,
      status,
      timestamp: seconds(atMs),
      ...recipient,
      errors: [webhookError(code)],
      ...callback,
    }
  }
  const isPriced = status === 'sent' || status === 'delivered' || (status === 'read' && !hasDelivered)
  const conversation = isPriced ? conversationOf(status, message, customer, behaviour.webhookVersion) : undefined
  return {
    id: message.wamid,
    status,
    timestamp: seconds(atMs),
    ...recipientOf(message, customer),
    ...(conversation ? { conversation } : {}),
    ...(isPriced ? { pricing: pricingOf(customer, message.atMs, category) } : {}),
    ...callback,
  }
}

/**
 * The contact of a status. A customer with a username is named by the business-scoped id only, unless the business used
 * the number itself.
 */
export const webhookContact = (customer: Customer, options: { number: boolean }): Json => ({
  profile: { name: customer.name, ...(customer.username === null ? {} : { username: customer.username }) },
  ...(options.number ? { wa_id: customer.waId } : {}),
  user_id: customer.bsuid,
})

/** The `value` of a `messages` field. */
export const messagesValue = (number: SandboxNumber, content: Json): Json => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: number.phone, phone_number_id: number.phoneNumberId },
  ...content,
})

export const envelope = (number: SandboxNumber, field: string, value: Json, timeMs?: number): Json => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: number.wabaId,
      ...(timeMs === undefined ? {} : { time: Math.floor(timeMs / 1000) }),
      changes: [{ value, field }],
    },
  ],
})

/** A webhook of the field `standby`, in which Meta nests the lists. @see Meta, "Webhooks › standby" */
export const standbyWebhook = (
  number: SandboxNumber,
  { contacts, ...lists }: { contacts?: readonly Json[] } & Record<string, unknown>,
): Json => envelope(number, 'standby', messagesValue(number, { ...(contacts ? { contacts } : {}), standby: lists }))

/** Tells the new limit of people whom the business may write to first; -1: no limit. @see Meta, "Messaging limits" */
export const capabilityUpdate = (number: SandboxNumber, tier: string, timeMs: number): Json => {
  const most = readMessagingLimit(tier) ?? Number.POSITIVE_INFINITY
  const value = {
    max_daily_conversations_per_business: Number.isFinite(most) ? most : -1,
    max_phone_numbers_per_waba: 25,
    max_phone_numbers_per_business: 2,
  }
  return envelope(number, 'business_capability_update', value, timeMs)
}

/**
 * The phone's address book has a name for a customer, or removed it (null). @see Meta, "Webhooks › smb_app_state_sync"
 */
export const addressBookUpdate = (
  number: SandboxNumber,
  { waId, bsuid, username }: Pick<Customer, 'waId' | 'bsuid' | 'username'>,
  name: string | null,
  timeMs: number,
): Json => {
  const contact = {
    ...(name === null ? {} : { full_name: name, first_name: name.split(' ')[0] }),
    ...(username === null ? { phone_number: waId } : {}),
    user_id: bsuid,
  }
  const entry = {
    type: 'contact',
    contact,
    action: name === null ? 'remove' : 'add',
    metadata: { timestamp: String(Math.floor(timeMs / 1000)) },
  }
  return envelope(number, 'smb_app_state_sync', messagesValue(number, { state_sync: [entry] }), timeMs)
}

/**
 * A webhook with statuses of one number; failures have no contacts. Statuses of chats that Meta's agent has come as
 * `standby`.
 */
export function statusWebhook(number: SandboxNumber, facts: readonly StatusFacts[]): Json {
  const contacts = new Map(
    facts
      .filter(fact => !fact.step.startsWith('failed'))
      .map(({ message, customer }) => [
        customer.bsuid,
        webhookContact(customer, { number: message.recipient === null }),
      ]),
  )
  const lists = {
    ...(contacts.size ? { contacts: [...contacts.values()] } : {}),
    statuses: facts.map(statusEntry),
  }
  return facts.some(({ customer }) => customer.isWithAgent)
    ? standbyWebhook(number, lists)
    : envelope(number, 'messages', messagesValue(number, lists))
}
