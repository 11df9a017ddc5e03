import { readCall } from '../kinds/events.ts'
import { asId, asObject } from '../scalars.ts'
import { complete, customerIdsFrom, isKnown, unknownCustomerIds } from './customer-ids.ts'
import type { WebhookItem } from './inbound.ts'
import { messageTime, originOf, type Scope } from './message-items.ts'

/**
 * Reads an entry of `calls`. A call is added to its thread when it has ended; its begin and negotiation are stored only
 * as account events. By Meta's rules a customer's call opens the window like a message.
 */
export const callItem = (entry: unknown, scope: Scope): WebhookItem => {
  const call = asObject(entry)
  const wamid = asId(call?.id)
  if (call === undefined || wamid === undefined || call.event !== 'terminate')
    return { ...originOf(scope), kind: 'management', field: 'calls', value: entry }
  const body = readCall(call)
  const at = messageTime(call.start_time ?? call.timestamp, scope)
  const common = { ...originOf(scope), wamid, at, body }
  if (call.direction === 'BUSINESS_INITIATED') {
    const known = complete(customerIdsFrom(call.to, call.to_user_id), scope.contacts)
    return { ...common, kind: 'echo', recipient: isKnown(known) ? known : unknownCustomerIds(call.to, call.to_user_id) }
  }
  const known = complete(customerIdsFrom(call.from, call.from_user_id, call.from_parent_user_id), scope.contacts)
  const hasSender = isKnown(known)
  const sender = hasSender ? known : unknownCustomerIds(call.from, call.from_user_id)
  return { ...common, kind: 'message', sender, opensWindow: hasSender }
}
