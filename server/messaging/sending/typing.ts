import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'

interface TypingParts {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'enqueueTyping'>
}

/** Shows the customer that somebody is typing. Returns whether WhatsApp can show it. */
export async function showTyping(
  write: OrgWrite,
  row: Pick<ListRow, 'id' | 'connection_id' | 'window_closes_at' | 'last_inbound_wamid'>,
  { clock, outbox }: TypingParts,
): Promise<boolean> {
  const isOpen = row.window_closes_at !== null && Date.parse(row.window_closes_at) > clock.now().getTime()
  if (row.last_inbound_wamid === null || !isOpen) return false
  const { id: conversationId, connection_id: connectionId, last_inbound_wamid: wamid } = row
  await outbox.enqueueTyping(write, { conversationId, connectionId, wamid })
  return true
}

/** Shows the customer that a flow is typing. Does nothing if the conversation no longer exists. */
export async function showTypingAsBot(write: OrgWrite, conversationId: string, parts: TypingParts): Promise<void> {
  const [row] = await findRows.byId(write.db, [conversationId], { orgId: write.orgId })
  if (row) await showTyping(write, row, parts)
}
