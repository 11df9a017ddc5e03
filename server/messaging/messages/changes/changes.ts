import { previewText } from '#server/messaging/conversations/conversations.ts'
import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { findMessages, readQuotes, readReactions } from '../message-store.ts'
import { messageFacts } from '../present.ts'
import { keepEffects, type MessageChange } from './early-change-store.ts'
import {
  type ChangedMessage,
  findTargets,
  type ReactionChange,
  saveLastText,
  saveReactions,
  saveTargets,
} from './store.ts'

/** Applies an edit, unless a later one was applied or the message was deleted. Returns whether the message changed. */
const edit = (target: ChangedMessage, text: string, at: string): boolean => {
  if (target.revoked_at !== null || (target.edited_at !== null && at < target.edited_at)) return false
  if (target.text === text && target.edited_at === at) return false
  Object.assign(target, { text, edited_at: at })
  return true
}

const isNumber = (id: string) => /^\d+$/.test(id)

/**
 * An author may only change their own message. True also if the contact has no identifier of the same type to compare.
 */
const isAuthors = ({ direction, wa_id, bsuid }: ChangedMessage, { by, from }: { by?: string; from?: string }) => {
  if (by === undefined) return true
  if ((by === 'us') !== (direction === 'out')) return false
  if (by === 'us' || from === undefined) return true
  if (isNumber(from)) return wa_id === null || phoneKey(wa_id) === phoneKey(from)
  return bsuid === null || bsuid === from
}

/** Deletes the content of a message that its author deleted, and keeps the row. Returns whether the message changed. */
const revoke = (target: ChangedMessage, at: string): boolean => {
  if (target.revoked_at !== null && target.revoked_at <= at) return false
  Object.assign(target, { text: '', content: null, revoked_at: at, edited_at: null })
  return true
}

/**
 * Applies reactions, edits and deletions. They may be repeated and in any order; those of unknown messages are kept for
 * later. Emits `message.changed` for each changed message, and `conversation.changed` if the list shows that message.
 */
export async function applyMessageChanges(
  write: OrgWrite,
  changes: readonly MessageChange[],
  parts: { clock: Clock },
): Promise<void> {
  if (!changes.length) return
  const { db, orgId } = write
  const targets = new Map(
    (
      await findTargets(
        db,
        changes.map(change => change.targetWamid),
        { orgId },
      )
    ).map(row => [row.wamid, row]),
  )
  const rewritten = new Set<ChangedMessage>()
  const reactions = new Map<string, ReactionChange>()
  const unmatched: MessageChange[] = []
  for (const change of changes) {
    const target = targets.get(change.targetWamid)
    if (!target) unmatched.push(change)
    else if (change.kind === 'reaction') {
      const key = `${target.id} ${change.by}`
      const known = reactions.get(key)
      if (!known || change.at >= known.at)
        reactions.set(key, { messageId: target.id, by: change.by, emoji: change.emoji ?? '', at: change.at })
    } else if (!isAuthors(target, change)) continue
    else if (change.kind === 'edit' ? edit(target, change.text, change.at) : revoke(target, change.at))
      rewritten.add(target)
  }
  await keepEffects(db, orgId, unmatched, parts.clock.now())
  await saveTargets(db, [...rewritten], { orgId })
  const relisted = await saveLastText(
    db,
    [...rewritten].map(target => ({
      conversation_id: target.conversation_id,
      seq: target.seq,
      preview: previewText(target.text),
      kind: target.revoked_at === null ? null : 'revoked',
    })),
    { orgId },
  )
  const reacted = await saveReactions(db, [...reactions.values()], { orgId })
  const changed = [...new Set([...[...rewritten].map(target => target.id), ...reacted.map(row => row.message_id)])]
  const whats = new Map([...rewritten].map(row => [row.id, row.revoked_at === null ? 'edited' : 'deleted'] as const))
  await emitChanges(write, changed, { relisted: new Set(relisted.map(row => row.id)), whats })
}

/** Emits `message.changed` for these messages and `conversation.changed` for the conversations in `relisted`. */
export async function emitChanges(
  { db, orgId, emit }: OrgWrite,
  ids: readonly string[],
  {
    relisted = new Set(),
    whats = new Map(),
  }: { relisted?: ReadonlySet<string>; whats?: ReadonlyMap<string, 'edited' | 'deleted'> } = {},
): Promise<void> {
  if (!ids.length) return
  const messages = await findMessages.byId(db, ids, { orgId })
  const rows = await findRows.byId(
    db,
    messages.map(message => message.conversation_id),
    { orgId },
  )
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const extras = { quotes: await readQuotes(db, orgId, messages), reactions: await readReactions(db, orgId, ids) }
  for (const message of messages) {
    const row = rowOf.get(message.conversation_id)
    const what = whats.get(message.id)
    const about = { message: messageFacts(message, extras), ...(what ? { what } : {}) }
    if (row) emit({ type: 'message.changed', data: { ...conversationRef(row), ...about } })
  }
  const listed = rows.filter(row => relisted.has(row.id))
  const tags = await readTagsOfContacts(
    db,
    orgId,
    listed.map(row => row.contact_id),
  )
  for (const row of listed) {
    const conversation = presentConversation(row, tags.get(row.contact_id))
    emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation } })
  }
}
