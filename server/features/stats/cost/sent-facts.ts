import { failureReason } from '#shared/inbox/failures.ts'
import type { SentCategory, SentSource } from '#shared/stats/cost.ts'
import type { SentCounts, SentMessageTable, SentState } from './table.ts'

/** An outgoing message as far as it is counted. */
export interface CountedMessage {
  readonly id: string
  readonly orgId: string
  readonly conversationId: string
  readonly connectionId: string
  readonly type: string
  readonly authorKind: string | null
  readonly at: string
  readonly status: string
  readonly errorCode: string | null
  readonly deliveredAt: string | null
  readonly readAt: string | null
  /** Type and category in Meta's words. */
  readonly pricing: string | null
  /** Until when the conversation is free because the customer came by an advertisement. */
  readonly freeUntil: string | null
  /** Its name and category; null: a reply. */
  readonly template: { readonly name: string; readonly category: string | null } | null
}

/** Meta bills replies from here on, as late as anywhere on earth. @see Meta, "Pricing updates", 2026-10-01 */
const repliesBilledFrom = '2026-10-01T00:00:00.000Z'

/**
 * Senders whose messages are not counted: Meta does not bill the phone app, and has not said how it bills its own
 * agent.
 */
const notCounted = new Set(['phone', 'metaAgent'])
const notMessages = new Set(['note', 'activity', 'system', 'reaction'])

/** A message counts if Meta may bill it. One that never left, because it waits or was cancelled, does not count. */
export const isCounted = ({ type, authorKind, status, errorCode }: CountedMessage): boolean =>
  !notMessages.has(type) &&
  !notCounted.has(authorKind ?? '') &&
  status !== 'queued' &&
  !(status === 'failed' && errorCode === 'CANCELLED')

/** An unconfirmed message stays sent: nobody knows that it failed. */
export const sentState = ({ status, deliveredAt, readAt, errorCode }: CountedMessage): SentState => {
  if (status === 'read' || readAt !== null) return 'read'
  if (status === 'delivered' || deliveredAt !== null) return 'delivered'
  return status === 'failed' && failureReason(errorCode ?? undefined) !== 'unconfirmed' ? 'failed' : 'sent'
}

export const isDelivered = (state: SentState): boolean => state === 'delivered' || state === 'read'

/** Meta's categories that are billed under another name. */
const categories: Readonly<Record<string, SentCategory>> = {
  marketing: 'marketing',
  marketing_lite: 'marketing',
  utility: 'utility',
  authentication: 'authentication',
  'authentication-international': 'authentication',
  service: 'service',
}

export const categoryOf = ({ pricing, template }: CountedMessage): SentCategory => {
  const said = categories[pricing?.split(':')[1] ?? '']
  if (said) return said
  return template === null ? 'service' : (categories[template.category?.toLowerCase() ?? ''] ?? 'unknown')
}

export const sentSource = ({ authorKind, template }: CountedMessage): SentSource => {
  if (authorKind === 'bulk') return 'bulk'
  return template === null ? 'reply' : 'template'
}

/**
 * Meta's own word on a delivered message decides, otherwise its rules. The free replies of a month still count here.
 */
export const billingOf = (message: CountedMessage): 'billed' | 'entry' | 'window' => {
  const type = message.pricing?.split(':')[0]
  if (type === 'free_entry_point') return 'entry'
  if (type !== undefined) return type === 'regular' ? 'billed' : 'window'
  if (message.freeUntil !== null && message.at <= message.freeUntil) return 'entry'
  return message.template === null && message.at < repliesBilledFrom ? 'window' : 'billed'
}

/** The counts that a message adds to the sums of its day. */
export const countsOf = ({ state, replied, opted_out }: SentMessageTable): SentCounts => ({
  sent: 1,
  delivered: isDelivered(state) ? 1 : 0,
  read: state === 'read' ? 1 : 0,
  failed: state === 'failed' ? 1 : 0,
  replied,
  opted_out,
})
