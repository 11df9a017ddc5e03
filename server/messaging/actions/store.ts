import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { SentAction } from '#shared/inbox/message-actions.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

type Sent = Extract<OutboundMessage, { type: 'interactive' }>

export interface StoredAction {
  readonly messageId: string
  readonly conversationId: string
  readonly at: string
  /** The button's label. */
  readonly label: string
  readonly action: SentAction
  readonly sent: Sent
  /** The raw value of the row. */
  readonly outbound: string
}

/** The action of this message's button. Undefined: none, or the message was deleted. */
export async function findAction(db: Db, orgId: string, messageId: string): Promise<StoredAction | undefined> {
  const row = await db
    .selectFrom('message')
    .select(['conversation_id', 'at', 'outbound'])
    .where('org_id', '=', orgId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!row || row.outbound === null) return undefined
  const sent = JSON.parse(row.outbound) as OutboundMessage
  if (sent.type !== 'interactive' || !sent.action) return undefined
  const { conversation_id: conversationId, at, outbound } = row
  const label = sent.interactive.buttons?.[0]?.title ?? ''
  return { messageId, conversationId, at, label, action: sent.action, sent, outbound }
}

/** Records the first tap. False: another one was recorded meanwhile. */
export async function recordTap(
  db: OrgDb,
  orgId: string,
  { messageId, sent, action, outbound }: StoredAction,
  takenAt: string,
): Promise<boolean> {
  const taken: Sent = { ...sent, action: { ...action, takenAt } }
  const { numUpdatedRows } = await db
    .updateTable('message')
    .set({ outbound: JSON.stringify(taken) })
    .where('org_id', '=', orgId)
    .where('id', '=', messageId)
    .where('outbound', '=', outbound)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
