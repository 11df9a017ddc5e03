import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import { emitChanges } from '#server/messaging/messages/changes/changes.ts'
import { findOwnReaction, saveReactions } from '#server/messaging/messages/changes/store.ts'
import type { SayFailure } from '#server/messaging/messages/delivery/failure.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { isEmoji } from '#shared/outbound/api.ts'
import { findMessage } from './send-store.ts'
import { presentOne, requireWindow, type SendParts } from './sending.ts'
import { chooseConversation } from './sending-number.ts'

/** Meta refuses reactions to older messages. */
const reactionMaxAgeMs = 30 * 24 * 60 * 60 * 1000

/**
 * Reacts to a message as the organization, or removes the reaction (`emoji` null). Repeating it changes nothing.
 * `callback` comes back in the reaction's status.
 * @throws INBOX_MESSAGE_NOT_FOUND, INBOX_REACTION_IMPOSSIBLE (not sent yet, deleted, or more than 30 days old),
 * INBOX_NOT_CONNECTED, INBOX_WINDOW_CLOSED, InvalidInput for text that is not one emoji.
 */
export async function react(
  write: OrgWrite,
  member: Viewer,
  { id, emoji, callback }: { id: string; emoji: string | null; callback?: string | undefined },
  sayFailure: SayFailure,
  parts: SendParts & { outbox: Pick<Outbox, 'enqueueReaction'> },
): Promise<Message> {
  const { db, orgId } = write
  if (emoji !== null && !isEmoji(emoji)) throw new InvalidInput([{ field: 'body.emoji', code: 'format', params: {} }])
  const message = await findMessage(db, member, id)
  if (!message) throw inboxErrors.MESSAGE_NOT_FOUND()
  const ageMs = parts.clock.now().getTime() - Date.parse(message.at)
  if (message.wamid === null || message.revoked_at !== null || ageMs > reactionMaxAgeMs)
    throw inboxErrors.REACTION_IMPOSSIBLE()
  const rows = await findRows.byId(db, [message.conversation_id], { orgId })
  const row = chooseConversation(rows, await listOwnNumbers(db, orgId), { phone: undefined, isOne: true })
  if (!row) throw inboxErrors.MESSAGE_NOT_FOUND()
  requireWindow(row.window_closes_at, parts.clock)
  const known = await findOwnReaction(db, orgId, id)
  const [before, after] = [known?.emoji ?? '', emoji ?? '']
  if (before !== after) {
    const now = isoNow(parts.clock)
    // If the clock did not advance, the later reaction still needs a later time.
    const at = known && known.at >= now ? new Date(Date.parse(known.at) + 1).toISOString() : now
    await saveReactions(db, [{ messageId: id, by: 'us', emoji: after, at }], { orgId })
    await parts.outbox.enqueueReaction(write, {
      messageId: id,
      connectionId: row.connection_id,
      targetWamid: message.wamid,
      to: contactAddress(row),
      emoji: after,
      before,
      at,
      ...(callback === undefined ? {} : { callback }),
    })
    await emitChanges(write, [id])
  }
  return presentOne(db, orgId, message, sayFailure, parts)
}
