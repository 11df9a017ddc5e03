import type { SentReaction } from '#server/messaging/outbox/reactions.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { emitChanges } from './changes.ts'
import { findOwnReaction, saveReactions } from './store.ts'

/** WhatsApp refused the reaction: restores the previous one, unless it was changed since. */
export async function undoReaction(write: OrgWrite, reaction: SentReaction): Promise<void> {
  const { db, orgId } = write
  const { messageId, before, at } = reaction
  const known = await findOwnReaction(db, orgId, messageId)
  if (known?.at !== at) return
  const after = new Date(Date.parse(at) + 1).toISOString()
  await saveReactions(db, [{ messageId, by: 'us', emoji: before, at: after }], { orgId })
  await emitChanges(write, [messageId])
}
