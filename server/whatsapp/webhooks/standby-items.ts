import { asObject, asText, cleanText, type Json } from '../scalars.ts'
import { complete, customerIdsFrom, isKnown } from './customer-ids.ts'
import type { InboundContent, WebhookItem } from './inbound.ts'
import { echoItem, messageItem, messageTime, originOf, type Scope, statusItem, unknownItem } from './message-items.ts'

const marked = (body: InboundContent): InboundContent => ({ ...body, content: { ...body.content, metaAgent: true } })

const withMark = (item: WebhookItem): WebhookItem => {
  if (item.kind === 'message' || item.kind === 'echo') return { ...item, body: marked(item.body), standby: true }
  return item.kind === 'reaction' ? { ...item, standby: true } : item
}

/**
 * Meta wraps what its agent wrote as `{ id, message: { to, type, text } }`. An entry without the wrapper is accepted
 * too.
 */
const unwrapped = (entry: unknown): unknown => {
  const echo = asObject(entry)
  const message = asObject(echo?.message)
  if (echo === undefined || message === undefined) return entry
  const { message: _, ...outer } = echo
  return { ...message, ...outer }
}

/** Readers of the lists in `standby`: messages while Meta's agent had the chat. */
export const standbyReaders = {
  messages: (entry: unknown, scope: Scope) => withMark(messageItem(entry, scope)),
  message_echoes: (entry: unknown, scope: Scope) => withMark(echoItem(unwrapped(entry), scope)),
  statuses: statusItem,
} as const

const isAgent = (facts: Json, whose: 'new' | 'previous'): boolean =>
  facts[`${whose}_owner_role`] === 'ai_agent' || facts[`${whose}_owner_app_role`] === 'meta_business_agent'

/** The agent's summary of the chat: a text, or an object. */
const contextOf = (facts: Json): string => {
  const context = facts.conversation_context
  const inside = asObject(context)
  return cleanText(inside ? (inside.summary ?? inside.text ?? inside.body) : context, 2000)
}

/**
 * Reads a `messaging_handovers`: who has the chat from now on. It has no `metadata`; the number is its `recipient`.
 * `previous_…`: who had it.
 * @see Meta, "Webhooks › messaging_handovers"
 */
export const handoverItem = (value: Json, scope: Scope): WebhookItem => {
  const recipient = asObject(value.recipient)
  const routed: Scope = { ...scope, phoneNumberId: asText(recipient?.phone_number_id) ?? scope.phoneNumberId }
  const who = asObject(value.sender)
  const sender = complete(
    customerIdsFrom(asText(who?.wa_id) ?? who?.phone_number, who?.user_id, who?.parent_user_id),
    scope.contacts,
  )
  const facts = asObject(value[asText(value.type) ?? 'control_passed'])
  if (facts === undefined || !isKnown(sender)) return unknownItem(routed, value)
  const to = isAgent(facts, 'new') ? 'metaAgent' : isAgent(facts, 'previous') ? 'people' : undefined
  if (to === undefined) return unknownItem(routed, value)
  const at = messageTime(value.timestamp, scope)
  return { ...originOf(routed), kind: 'handover', at, sender, to, note: contextOf(facts) }
}
