import type { OrgDb } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import type { Directory } from '../contacts/contacts.ts'
import { openWindow } from '../conversations/conversations.ts'
import type { ListRow } from '../conversations/list-row-store.ts'
import { decideControl } from '../people/control.ts'
import { conversationOf, findRowsOf, type NumberOfItem } from './inbound-messages.ts'

/** A customer's reaction with the row of their conversation. */
interface Reacted {
  readonly row: ListRow
  readonly emoji: string
  readonly at: string
  /** Meta's agent had the chat. */
  readonly standby: boolean
}

/**
 * Reactions by which customers say something now, with the rows of their conversations, which are read if they are not
 * there yet. What is taken back, or was said long ago or in a group, says nothing.
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
 * It opens the window like any word of the customer. Where nothing was said since, it is what the row shows and what
 * waits to be seen; answers whether it is. Told again it changes nothing.
 */
export function noteReaction({ row, emoji, at, standby }: Reacted): boolean {
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
  row.archived = 0
  row.unread += 1
  const held = { control: row.control, assigneeId: row.assignee_id }
  if (!standby)
    row.control = decideControl(held, { kind: 'customerWrote', group: false, botTakes: row.control === 'bot' })
  return true
}
