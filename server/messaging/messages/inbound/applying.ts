import { archiveStates } from '#server/messaging/archive-states.ts'
import { decideControl } from '#server/messaging/conversations/control.ts'
import { openWindow, setLastMessage } from '#server/messaging/conversations/conversations.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { NewMessage } from '../message-store.ts'
import type { Posted } from './draft.ts'
import { isNotice } from './draft.ts'

/**
 * The team answered or was called after `at`. Webhooks may arrive out of order, so an older item must not give the
 * conversation back to Meta's agent.
 */
const isTakenSince = (row: ListRow, at: string): boolean => {
  if (row.control === 'human') return row.last_message_direction === 'out' && at <= (row.last_message_at ?? '')
  return row.control === 'needsHuman' && at <= (row.last_human_event_at ?? '')
}

/** Applies a handover between Meta's agent and the team. Returns whether the customer began to wait for a person. */
const applyHandover = (row: ListRow, item: Extract<WebhookItem, { kind: 'handover' }>): boolean => {
  if (row.blocked_at !== null || isTakenSince(row, item.at)) return false
  if (item.at > row.last_activity_at) row.last_activity_at = item.at
  const before = row.control
  const kind = item.to === 'people' ? 'agentLeft' : 'agentAnswers'
  row.control = decideControl({ control: before, assigneeId: row.assignee_id }, { kind })
  row.archived = archiveStates.open
  return row.control === 'needsHuman' && before !== 'needsHuman'
}

/** Applies a new message to its conversation. Returns whether the customer began to wait for a person. */
export const applyInbound = (
  row: ListRow,
  item: Posted,
  message: NewMessage,
  seq: number,
  botTakes: boolean,
): boolean => {
  if (item.kind === 'handover') return applyHandover(row, item)
  if (isNotice(item)) {
    if (item.at > row.last_activity_at && row.last_message_seq === null) row.last_activity_at = item.at
    return false
  }
  const isAnsweredSince = isTakenSince(row, item.at)
  setLastMessage(row, { ...message, seq })
  if (item.past) return false
  // A blocked contact's message is stored but changes nothing else.
  if (row.blocked_at !== null && item.kind === 'message') return false
  // A reply of ours leaves a snoozed conversation snoozed.
  if (item.kind !== 'echo' || row.archived === archiveStates.archived) row.archived = archiveStates.open
  const held = { control: row.control, assigneeId: row.assignee_id }
  if (item.standby && !isAnsweredSince) row.control = decideControl(held, { kind: 'agentAnswers' })
  if (item.kind === 'echo') {
    row.waiting_since = null
    if (item.standby) return false
    row.control = decideControl(held, { kind: 'phoneWrote' })
    return false
  }
  row.unread += 1
  if (item.opensWindow) openWindow(row, item.at, item.wamid)
  if (item.standby) return false
  const group = item.groupId !== undefined
  if (!group) row.waiting_since ??= message.at
  row.control = decideControl(held, { kind: 'customerWrote', group, botTakes })
  return row.control === 'needsHuman' && held.control !== 'needsHuman'
}
