import { phoneKey } from '#shared/phone.ts'
import { contentOf, editedText } from './content.ts'
import type { Sender, VendorFailure, VendorStatus, WebhookItem } from './inbound.ts'
import { asId, asList, asObject, asText, asTime, cleanLine, cleanText, type Json, rawJson } from './scalars.ts'
import { bsuidOf, type Contacts, complete, isKnown, senderFrom, waIdOf } from './sender.ts'

/** What the items of one change have in common. */
export interface Scope {
  wabaId: string
  phoneNumberId: string | undefined
  field: string
  contacts: Contacts
  /** The stamp of the whole entry; only some fields have one. */
  stampedAt: string | undefined
  /** Stands in where a message has no believable stamp of its own. */
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

const timeOf = (stamp: unknown, scope: Scope): string => asTime(stamp, scope.notAfterMs) ?? scope.fallbackAt

const replyOf = (message: Json): { replyToWamid?: string } => {
  const replyToWamid = asId(asObject(message.context)?.id)
  return replyToWamid === undefined ? {} : { replyToWamid }
}

/** Kinds that act on another message; undefined when the message is of no such kind, `unknown` when it lacks its parts. */
const actionItem = (
  message: Json,
  wamid: string,
  at: string,
  person: Sender,
  scope: Scope,
  fromUs: boolean,
): WebhookItem | undefined => {
  const origin = originOf(scope)
  if (message.type === 'reaction') {
    const reaction = asObject(message.reaction)
    const targetWamid = asId(reaction?.message_id)
    if (targetWamid === undefined || !isKnown(person)) return unknownItem(scope, message)
    // Removal: Meta leaves `emoji` out, or sends it empty.
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
    return { ...origin, kind: 'edit', wamid, at, targetWamid, text }
  }
  if (message.type === 'revoke') {
    const targetWamid = asId(asObject(message.revoke)?.original_message_id)
    return targetWamid === undefined
      ? unknownItem(scope, message)
      : { ...origin, kind: 'revoke', wamid, at, targetWamid }
  }
  return undefined
}

const identityChanges = new Set<unknown>(['user_changed_number', 'customer_changed_number', 'user_changed_user_id'])

/** The person under new identifiers; undefined for other system messages. Old payloads say `new_wa_id` and `customer`. */
const identityItem = (message: Json, wamid: string, at: string, scope: Scope): WebhookItem | undefined => {
  const system = asObject(message.system)
  if (system === undefined || !identityChanges.has(system.type)) return undefined
  const previous = senderFrom(
    asText(message.from) ?? system.customer,
    message.from_user_id,
    message.from_parent_user_id,
  )
  const current = senderFrom(asText(system.wa_id) ?? system.new_wa_id, system.user_id, system.parent_user_id)
  // `from_user_id` may already be the new one, which then tells nothing about before.
  if (previous.bsuid !== undefined && previous.bsuid === current.bsuid && previous.waId !== undefined)
    delete previous.bsuid
  if (!isKnown(previous) || !isKnown(current)) return undefined
  return { ...originOf(scope), kind: 'identity', at, previous, current, note: cleanText(system.body, 1000), wamid }
}

/** Meta, customer service window: whatever the person does in the chat opens it; what the system tells does not. */
const opensWindow = (message: Json): boolean => message.type !== 'system' && message.group_id === undefined

/** One entry of `messages`: what a customer wrote or did. */
export const messageItem = (entry: unknown, scope: Scope): WebhookItem => {
  const message = asObject(entry)
  const wamid = asId(message?.id)
  if (message === undefined || wamid === undefined) return unknownItem(scope, entry)
  const at = timeOf(message.timestamp, scope)
  const identity = message.type === 'system' ? identityItem(message, wamid, at, scope) : undefined
  if (identity !== undefined) return identity
  const sender = complete(senderFrom(message.from, message.from_user_id, message.from_parent_user_id), scope.contacts)
  const action = actionItem(message, wamid, at, sender, scope, false)
  if (action !== undefined) return action
  if (!isKnown(sender)) return unknownItem(scope, message)
  const groupId = asId(message.group_id)
  return {
    ...originOf(scope),
    kind: 'message',
    wamid,
    at,
    sender,
    body: contentOf(message),
    ...replyOf(message),
    opensWindow: opensWindow(message),
    ...(groupId === undefined ? {} : { groupId }),
  }
}

/** One entry of `message_echoes`: what we wrote elsewhere. */
export const echoItem = (entry: unknown, scope: Scope, customer?: Sender): WebhookItem => {
  const message = asObject(entry)
  const wamid = asId(message?.id)
  if (message === undefined || wamid === undefined) return unknownItem(scope, entry)
  const at = timeOf(message.timestamp, scope)
  const recipient = complete(
    customer ?? senderFrom(message.to, message.to_user_id, message.to_parent_user_id),
    scope.contacts,
  )
  const action = actionItem(message, wamid, at, recipient, scope, true)
  if (action !== undefined) return action
  if (!isKnown(recipient)) return unknownItem(scope, message)
  return { ...originOf(scope), kind: 'echo', wamid, at, recipient, body: contentOf(message), ...replyOf(message) }
}

const statuses = new Map<unknown, VendorStatus>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

/** `error_data` is an object here and a plain string elsewhere; very old payloads say `details`. */
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

/** One entry of `statuses`: what became of a message of ours. */
export const statusItem = (entry: unknown, scope: Scope): WebhookItem => {
  const report = asObject(entry)
  const wamid = asId(report?.id)
  const status = statuses.get(report?.status)
  if (report === undefined || wamid === undefined || status === undefined) return unknownItem(scope, entry)
  const toGroup = report.recipient_type === 'group'
  const recipient = toGroup
    ? {}
    : complete(
        senderFrom(report.recipient_id, report.recipient_user_id, report.recipient_parent_user_id),
        scope.contacts,
      )
  const callback = cleanText(report.biz_opaque_callback_data, 512)
  return {
    ...originOf(scope),
    kind: 'status',
    wamid,
    at: timeOf(report.timestamp, scope),
    status,
    recipient,
    ...(callback === '' ? {} : { callback }),
    ...(status === 'failed' ? { failure: failureOf(report.errors) } : {}),
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

const isSame = (from: unknown, fromUserId: unknown, customer: Sender): boolean => {
  const waId = waIdOf(from)
  if (waId !== undefined && customer.waId !== undefined) return phoneKey(waId) === phoneKey(customer.waId)
  const bsuid = bsuidOf(fromUserId) ?? bsuidOf(from)
  return bsuid !== undefined && bsuid === customer.bsuid
}

/**
 * A message of the phone's history. A file comes twice: as a placeholder without content, and later by itself under
 * the same id; the placeholder is kept aside so that it never stands in the way of the file.
 */
export const pastItem = (entry: unknown, scope: Scope, customer: Sender): WebhookItem => {
  const message = asObject(entry)
  if (message === undefined) return unknownItem(scope, entry)
  if (message.type === 'media_placeholder')
    return { ...originOf(scope), kind: 'management', field: 'history', value: message }
  const theirs = message.to === undefined && isSame(message.from, message.from_user_id, customer)
  const item = theirs
    ? messageItem({ ...message, from: customer.waId ?? customer.bsuid }, scope)
    : echoItem(message, scope, customer)
  if (item.kind === 'message') return { ...item, opensWindow: false, past: true }
  if (item.kind === 'reaction') return { ...item, opensWindow: false, past: true }
  if (item.kind !== 'echo') return item
  const status = pastStatuses.get(asObject(message.history_context)?.status)
  return { ...item, ...(status === undefined ? {} : { status }), past: true }
}
