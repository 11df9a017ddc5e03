import { displayPhone } from '#server/platform/text/phone-display.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { asId, asList, asObject, asText, asTime, cleanLine, cleanText, type Json, rawJson } from '../scalars.ts'
import { editedText, readMessageContent, withType } from './content.ts'
import {
  bsuidOf,
  type Contacts,
  complete,
  customerIdsFrom,
  groupIds,
  isKnown,
  readWaId,
  unknownCustomerIds,
} from './customer-ids.ts'
import type { CustomerIds, InboundContent, VendorFailure, VendorStatus, WebhookItem } from './inbound.ts'

/** Context of the items of one change. */
export interface Scope {
  wabaId: string
  phoneNumberId: string | undefined
  /** Our own number, in WhatsApp's spelling. */
  ours: string | undefined
  field: string
  contacts: Contacts
  /** The timestamp of the whole entry; only some fields have one. */
  stampedAt: string | undefined
  /** Used if a message has no plausible timestamp. */
  fallbackAt: string
  notAfterMs: number
}

type Origin = { wabaId: string; phoneNumberId?: string }
export const originOf = ({ wabaId, phoneNumberId }: Scope): Origin =>
  phoneNumberId === undefined ? { wabaId } : { wabaId, phoneNumberId }

export const unknownItem = (scope: Scope, value: unknown): WebhookItem => ({
  ...originOf(scope),
  kind: 'unknown',
  field: scope.field,
  raw: rawJson(value),
})

export const messageTime = (stamp: unknown, scope: Scope): string => asTime(stamp, scope.notAfterMs) ?? scope.fallbackAt

const replyOf = (message: Json): { replyToWamid?: string } => {
  const replyToWamid = asId(asObject(message.context)?.id)
  return replyToWamid === undefined ? {} : { replyToWamid }
}

/** Reads messages that act on another message. Undefined: not such a kind; `unknown`: parts are missing. */
const actionItem = (
  message: Json,
  wamid: string,
  at: string,
  person: CustomerIds,
  scope: Scope,
  fromUs: boolean,
): WebhookItem | undefined => {
  const origin = originOf(scope)
  if (message.type === 'reaction') {
    const reaction = asObject(message.reaction)
    const targetWamid = asId(reaction?.message_id)
    if (targetWamid === undefined || !isKnown(person)) return unknownItem(scope, message)
    // For a removal, Meta omits `emoji` or sends it empty.
    const emoji = cleanLine(reaction?.emoji, 64) ?? null
    const reacted = { ...origin, kind: 'reaction' as const, wamid, at, sender: person, targetWamid, emoji }
    return fromUs
      ? { ...reacted, fromUs: true }
      : { ...reacted, opensWindow: emoji !== null && message.group_id === undefined }
  }
  if (message.type === 'edit') {
    const edit = asObject(message.edit)
    const targetWamid = asId(edit?.original_message_id)
    const text = edit && editedText(edit)
    if (targetWamid === undefined || text === undefined) return unknownItem(scope, message)
    return { ...origin, kind: 'edit', wamid, at, targetWamid, text, sender: person, ...(fromUs ? { fromUs } : {}) }
  }
  if (message.type === 'revoke') {
    const targetWamid = asId(asObject(message.revoke)?.original_message_id)
    return targetWamid === undefined
      ? unknownItem(scope, message)
      : { ...origin, kind: 'revoke', wamid, at, targetWamid, sender: person, ...(fromUs ? { fromUs } : {}) }
  }
  return undefined
}

const identityChanges = new Set<unknown>(['user_changed_number', 'customer_changed_number', 'user_changed_user_id'])

/** The person's previous ids; undefined in payloads that use `from` only. */
const previousIds = (message: Json, system: Json): { id: unknown; parentId: unknown } | undefined => {
  const id = system.previous_user_id ?? message.previous_user_id
  const parentId = system.previous_parent_user_id ?? message.previous_parent_user_id
  return id === undefined && parentId === undefined ? undefined : { id, parentId }
}

/** A person with new identifiers; undefined for other system messages. Old payloads use `new_wa_id` and `customer`. */
const identityItem = (message: Json, wamid: string, at: string, scope: Scope): WebhookItem | undefined => {
  const system = asObject(message.system)
  if (system === undefined || !identityChanges.has(system.type)) return undefined
  const before = previousIds(message, system)
  // If previous ids are given, `from_user_id` is the new one.
  const from = before ? [before.id, before.parentId] : [message.from_user_id, message.from_parent_user_id]
  const now = before ? [message.from_user_id, message.from_parent_user_id] : []
  const previous = customerIdsFrom(asText(message.from) ?? system.customer, ...from)
  const current = complete(
    customerIdsFrom(
      asText(system.wa_id) ?? system.new_wa_id,
      system.user_id ?? now[0],
      system.parent_user_id ?? now[1],
    ),
    scope.contacts,
  )
  // `from_user_id` may already be the new one; then it is no previous id.
  if (previous.bsuid !== undefined && previous.bsuid === current.bsuid && previous.waId !== undefined)
    delete previous.bsuid
  if (!isKnown(previous) || !isKnown(current)) return undefined
  return { ...originOf(scope), kind: 'identity', at, previous, current, note: cleanText(system.body, 1000), wamid }
}

/** By Meta's rules whatever the customer does in the chat opens the window, but not system messages. */
const opensWindow = (message: Json): boolean => message.type !== 'system' && message.group_id === undefined

/** Adds the author to a message in a group. */
const inGroup = (body: InboundContent, { profileName, waId, username }: CustomerIds): InboundContent => {
  const from = profileName ?? (waId ? displayPhone(waId) || waId : username)
  return from === undefined ? body : { ...body, content: { ...body.content, group: { from } } }
}

/** Reads an entry of `messages`: what a customer wrote or did. `known`: the sender, where it stands elsewhere. */
export const messageItem = (entry: unknown, scope: Scope, known?: CustomerIds): WebhookItem => {
  const given = asObject(entry)
  const wamid = asId(given?.id)
  if (given === undefined || wamid === undefined) return unknownItem(scope, entry)
  const message = withType(given)
  // Sent by us from the phone.
  if (scope.ours !== undefined && !known && readWaId(message.from) === scope.ours) return echoItem(message, scope)
  const at = messageTime(message.timestamp, scope)
  const identity = message.type === 'system' ? identityItem(message, wamid, at, scope) : undefined
  if (identity !== undefined) return identity
  const sender =
    known ?? complete(customerIdsFrom(message.from, message.from_user_id, message.from_parent_user_id), scope.contacts)
  const action = actionItem(message, wamid, at, sender, scope, false)
  if (action !== undefined) return action
  const groupId = asId(message.group_id)
  const hasSender = isKnown(sender)
  // A system message about nobody in particular opens no chat.
  if (message.type === 'system' && !hasSender && groupId === undefined) return unknownItem(scope, entry)
  const body = readMessageContent(message)
  return {
    ...originOf(scope),
    kind: 'message',
    wamid,
    at,
    sender:
      groupId !== undefined
        ? groupIds(groupId)
        : hasSender
          ? sender
          : unknownCustomerIds(message.from, message.from_user_id),
    body: groupId === undefined ? body : inGroup(body, sender),
    ...replyOf(message),
    opensWindow: hasSender && opensWindow(message),
    ...(groupId === undefined ? {} : { groupId }),
  }
}

/** Reads an entry of `message_echoes`: what we sent elsewhere. */
export const echoItem = (entry: unknown, scope: Scope, customer?: CustomerIds): WebhookItem => {
  const read = asObject(entry)
  const wamid = asId(read?.id)
  if (read === undefined || wamid === undefined) return unknownItem(scope, entry)
  const message = withType(read)
  const at = messageTime(message.timestamp, scope)
  const given = complete(
    customer ?? customerIdsFrom(message.to, message.to_user_id, message.to_parent_user_id),
    scope.contacts,
  )
  const action = actionItem(message, wamid, at, given, scope, true)
  if (action !== undefined) return action
  const recipient = isKnown(given) ? given : unknownCustomerIds(message.to, message.to_user_id)
  return {
    ...originOf(scope),
    kind: 'echo',
    wamid,
    at,
    recipient,
    body: readMessageContent(message),
    ...replyOf(message),
  }
}

const statuses = new Map<unknown, VendorStatus>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

/** `error_data` is an object here and a plain string elsewhere; old payloads use `details`. */
const failureOf = (errors: unknown): VendorFailure => {
  const error = asObject(asList(errors)[0])
  const data = asObject(error?.error_data)?.details ?? error?.error_data ?? error?.details
  const detail = typeof data === 'string' ? cleanText(data, 1000) : ''
  return {
    code: asId(error?.code) ?? 'unknown',
    title: cleanLine(error?.title ?? error?.message, 300) ?? '',
    ...(detail === '' ? {} : { detail }),
  }
}

/** Longer than Meta's 72 hours, to allow for clock differences. */
const maxFreeMs = 80 * 3_600_000

/** Until when messages to a person who came by an advertisement are free. @see Meta, "Pricing": free entry points */
const freeUntilOf = (report: Json, scope: Scope): string | undefined => {
  const conversation = asObject(report.conversation)
  const isEntry =
    asObject(report.pricing)?.type === 'free_entry_point' ||
    asObject(conversation?.origin)?.type === 'referral_conversion'
  return isEntry ? asTime(conversation?.expiration_timestamp, scope.notAfterMs + maxFreeMs) : undefined
}

const pricingWord = /^[a-z_-]{1,40}$/

/** Returns `type:category` in Meta's words. Undefined: Meta sent no price for this message. @see Meta, "Pricing" */
const pricingOf = (report: Json): string | undefined => {
  const { type, category } = asObject(report.pricing) ?? {}
  const words = [type, category]
  return words.every(word => typeof word === 'string' && pricingWord.test(word)) ? words.join(':') : undefined
}

/** Reads an entry of `statuses`: the status of a message that we sent. */
export const statusItem = (entry: unknown, scope: Scope): WebhookItem => {
  const report = asObject(entry)
  const wamid = asId(report?.id)
  const status = statuses.get(report?.status)
  if (report === undefined || wamid === undefined || status === undefined) return unknownItem(scope, entry)
  const toGroup = report.recipient_type === 'group'
  const recipient = toGroup
    ? {}
    : complete(
        customerIdsFrom(report.recipient_id, report.recipient_user_id, report.recipient_parent_user_id),
        scope.contacts,
      )
  const callback = cleanText(report.biz_opaque_callback_data, 512)
  const freeUntil = freeUntilOf(report, scope)
  const pricing = pricingOf(report)
  return {
    ...originOf(scope),
    kind: 'status',
    wamid,
    at: messageTime(report.timestamp, scope),
    status,
    recipient,
    ...(callback === '' ? {} : { callback }),
    ...(status === 'failed' ? { failure: failureOf(report.errors) } : {}),
    ...(freeUntil === undefined ? {} : { freeUntil }),
    ...(pricing === undefined ? {} : { pricing }),
  }
}

const pastStatuses = new Map<unknown, VendorStatus>([
  ['PENDING', 'sent'],
  ['SENT', 'sent'],
  ['DELIVERED', 'delivered'],
  ['READ', 'read'],
  ['PLAYED', 'read'],
  ['ERROR', 'failed'],
])

const isSame = (from: unknown, fromUserId: unknown, customer: CustomerIds): boolean => {
  const waId = readWaId(from)
  if (waId !== undefined && customer.waId !== undefined) return phoneKey(waId) === phoneKey(customer.waId)
  const bsuid = bsuidOf(fromUserId) ?? bsuidOf(from)
  return bsuid !== undefined && bsuid === customer.bsuid
}

/**
 * Reads a message of the phone's history. A file comes twice: first as a placeholder without content, later with the
 * file under the same id, which replaces it. Some files never come.
 */
export const historyItem = (entry: unknown, scope: Scope, customer: CustomerIds): WebhookItem => {
  const message = asObject(entry)
  if (message === undefined) return unknownItem(scope, entry)
  const isTheirs =
    customer.other === undefined
      ? isSame(message.from, message.from_user_id, customer)
      : readWaId(message.from) !== scope.ours
  const theirs = message.to === undefined && isTheirs
  const item = theirs
    ? messageItem(message, scope, complete(customer, scope.contacts))
    : echoItem(message, scope, customer)
  if (item.kind === 'message') return { ...item, opensWindow: false, past: true }
  if (item.kind === 'reaction') return { ...item, opensWindow: false, past: true }
  if (item.kind !== 'echo') return item
  const status = pastStatuses.get(asObject(message.history_context)?.status)
  return { ...item, ...(status === undefined ? {} : { status }), past: true }
}
