import { archiveStates } from '#server/messaging/archive-states.ts'
import { decideControl } from '#server/messaging/conversations/control.ts'
import { openWindow } from '#server/messaging/conversations/conversations.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { Directory } from '#server/messaging/directory/directory.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { conversationOf, findRowsOf, type NumberOfItem } from '../inbound/messages.ts'

/** A customer's reaction with its conversation. */
export interface Reacted {
  readonly row: ListRow
  readonly emoji: string
  readonly at: string
  /** Meta's agent had the chat. */
  readonly standby: boolean
}

/**
 * New reactions of customers with their conversations. Skips removed reactions, imported history and groups. Adds
 * conversations that are missing in `rows`.
 */
export async function findReacted(
  db: OrgDb,
  orgId: string,
  items: readonly WebhookItem[],
  directory: Directory,
  rows: Map<string, ListRow>,
  numberOf: NumberOfItem,
): Promise<Reacted[]> {
  const found = items.flatMap(item => {
    if (item.kind !== 'reaction' || !item.opensWindow || item.fromUs || item.past || item.emoji === null) return []
    const contact = directory.find(item.sender)
    const { emoji, at, standby = false } = item
    return contact ? [{ contact, key: conversationOf(contact, numberOf(item)), emoji, at, standby }] : []
  })
  const missing = found.filter(({ key }) => !rows.has(key)).map(({ contact }) => contact.id)
  for (const [key, row] of await findRowsOf(db, orgId, missing)) if (!rows.has(key)) rows.set(key, row)
  return found.flatMap(({ key, emoji, at, standby }) => {
    const row = rows.get(key)
    return row ? [{ row, emoji, at, standby }] : []
  })
}

/**
 * Opens the customer service window, as a message would. If the reaction is newer than the last message, the list row
 * shows it as unread. Returns whether it does; a repeated reaction returns false.
 */
export function applyReaction({ row, emoji, at, standby }: Reacted): boolean {
  openWindow(row, at)
  if (row.blocked_at !== null || (row.last_message_at !== null && at <= row.last_message_at)) return false
  Object.assign(row, {
    last_message_at: at,
    last_message_text: emoji,
    last_message_type: 'reaction',
    last_message_direction: 'in',
    last_message_status: 'received',
  })
  if (at > row.last_activity_at) row.last_activity_at = at
  row.archived = archiveStates.open
  row.unread += 1
  const held = { control: row.control, assigneeId: row.assignee_id }
  if (!standby)
    row.control = decideControl(held, { kind: 'customerWrote', group: false, botTakes: row.control === 'bot' })
  return true
}
