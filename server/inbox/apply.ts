import { type Clock, isoNow } from '../clock.ts'
import type { Db } from '../db.ts'
import type { EventDraft } from '../live/hub.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import { type Directory, openDirectory } from './contacts.ts'
import { landMessage, openWindow, saveConversations } from './conversations.ts'
import { applyStatuses } from './delivery.ts'
import { spanishFailure } from './failure.ts'
import { addressOf } from './identifier.ts'
import { findRows, type ListRow, tagsOf } from './list-row.ts'
import { applyMarks } from './marks.ts'
import { draftMerges } from './merge.ts'
import { insertMedia, type MessageRow, type NewMedia, type NewMessage, quotesOf } from './message-store.ts'
import { type MarkEffect, type PendingEffect, type StatusEffect, takeEffects } from './pending.ts'
import { type Fresh, isAddressable, isPosted, type Posted, post, sendersOf } from './post.ts'
import { presentConversation, presentMessage } from './present.ts'
import { tellFollowers } from './replies.ts'
import { callPeople, type Notify } from './waiting.ts'

export interface ApplyParts {
  clock: Clock
  ids: (at?: number) => string
  notify: Notify
}

/** How a new message changes its conversation's row. Answers true when the customer has just begun to wait. */
const land = (row: ListRow, item: Posted, message: NewMessage, seq: number): boolean => {
  if (item.kind === 'identity') {
    if (item.at > row.last_activity_at && row.last_message_seq === null) row.last_activity_at = item.at
    return false
  }
  landMessage(row, { ...message, seq })
  if (item.past) return false
  row.archived = 0
  if (item.kind === 'echo') {
    row.control = 'human'
    return false
  }
  row.unread += 1
  if (item.opensWindow) openWindow(row, item.at, item.wamid)
  if (item.groupId !== undefined || row.control !== 'bot' || row.assignee_id !== null) return false
  row.control = 'needsHuman'
  return true
}

/** A customer's message to a person who is in the conversation already. */
const isReply = (row: ListRow, item: Posted): boolean =>
  item.kind === 'message' && !item.past && item.groupId === undefined && row.control === 'human'

/** The message as it was inserted, in the form in which it is read. */
const readRow = (message: NewMessage, media: NewMedia | undefined): MessageRow => ({
  id: message.id,
  conversation_id: message.conversationId,
  wamid: message.wamid,
  direction: message.direction,
  type: message.type,
  text: message.text,
  content: message.content,
  at: message.at,
  status: message.status,
  error_code: null,
  unconfirmed: 0,
  reply_to_wamid: message.replyToWamid,
  author_kind: message.authorKind,
  author_name: message.authorName,
  client_key: message.clientKey,
  edited_at: null,
  revoked_at: null,
  media_id: media?.id ?? null,
  media_mime: media?.mime ?? null,
  media_name: media?.name ?? null,
  media_size: null,
  media_state: media ? 'pending' : null,
})

const effectOf = (item: WebhookItem): PendingEffect | undefined => {
  if (item.kind === 'status') {
    const { kind, wamid, at, status, failure, callback } = item
    return { kind, wamid, at, status, failure, callback }
  }
  if (item.kind === 'reaction') {
    const { kind, at, targetWamid, emoji } = item
    return { kind, at, targetWamid, emoji, by: item.fromUs ? 'us' : 'contact' }
  }
  if (item.kind === 'edit') return { kind: item.kind, at: item.at, targetWamid: item.targetWamid, text: item.text }
  if (item.kind === 'revoke') return { kind: item.kind, at: item.at, targetWamid: item.targetWamid }
  return undefined
}

const isStatus = (effect: PendingEffect): effect is StatusEffect => effect.kind === 'status'
const isMark = (effect: PendingEffect): effect is MarkEffect => effect.kind !== 'status'
const noReactions: ReadonlyMap<string, never[]> = new Map()

/** Reactions with words of their own open the window like any message of the customer. */
const openByReactions = async (
  db: Db,
  orgId: string,
  items: readonly WebhookItem[],
  directory: Directory,
  rows: Map<string, ListRow>,
) => {
  const touched: ListRow[] = []
  const opening = items.flatMap(item => {
    const contact =
      item.kind === 'reaction' && item.opensWindow && !item.fromUs && !item.past
        ? directory.find(item.sender)
        : undefined
    return contact ? [{ contact, at: item.kind === 'reaction' ? item.at : '' }] : []
  })
  const missing = opening.filter(({ contact }) => !rows.has(contact.id)).map(({ contact }) => contact.id)
  if (missing.length) for (const row of await findRows.byContact(db, missing, { orgId })) rows.set(row.contact_id, row)
  for (const { contact, at } of opening) {
    const row = rows.get(contact.id)
    const closedAt = row?.window_closes_at
    if (!row) continue
    openWindow(row, at)
    if (row.window_closes_at !== closedAt) touched.push(row)
  }
  return touched
}

/**
 * Derives everything of one organization's webhook items, in bulk and idempotently: what is there already changes
 * nothing, what comes too early waits for its message, and the order of arrival decides only between equal times.
 * Runs inside the caller's transaction; record the drafts there and publish after the commit. `hasMedia`: there are
 * files to fetch.
 */
export async function applyItems(
  trx: Db,
  orgId: string,
  items: readonly WebhookItem[],
  parts: ApplyParts,
): Promise<{ drafts: EventDraft[]; hasMedia: boolean }> {
  // The boundary promises an identifier with every sender; what has none could belong to anybody.
  const usable = items.filter(item => !isPosted(item) || sendersOf(item).some(isAddressable))
  const posted = usable.filter(isPosted)
  const directory = await openDirectory(trx, orgId, usable.flatMap(sendersOf), parts)
  const { fresh, merged, rows } = await post(trx, orgId, posted, directory, parts)

  const waiting = new Set<ListRow>()
  const replies = new Map<ListRow, number>()
  const touched = new Set<ListRow>(await openByReactions(trx, orgId, usable, directory, rows))
  const before = new Map([...rows.values()].map(row => [row, row.control]))
  for (const { row, item, message, seq } of fresh) {
    if (land(row, item, message, seq)) waiting.add(row)
    else if (isReply(row, item)) replies.set(row, (replies.get(row) ?? 0) + 1)
    touched.add(row)
  }
  const media = fresh.flatMap(draft => (draft.media ? [draft.media] : []))
  await insertMedia(trx, media, { orgId, now: isoNow(parts.clock) })
  const stillWaiting = [...waiting].filter(row => row.control === 'needsHuman')
  const calls = await callPeople(trx, orgId, stillWaiting, parts.clock.now(), parts.notify)
  await saveConversations(trx, [...touched], { orgId })

  // Before the message: whoever hears of it by name need not hear of it twice.
  const drafts = await tellFollowers(trx, orgId, replies, parts.clock.now(), parts.notify)
  drafts.push(...(await draftMessages(trx, orgId, fresh, touched)))
  drafts.push(...(await draftMerges(trx, orgId, merged)))
  for (const [row, control] of before)
    if (control === 'needsHuman' && row.control === 'human')
      drafts.push({ type: 'human.claimed', number: addressOf(row), data: { number: addressOf(row), by: null } })
  drafts.push(...calls)

  const early = await takeEffects(
    trx,
    orgId,
    fresh.flatMap(({ message }) => (message.wamid ? [message.wamid] : [])),
  )
  const effects = [...early, ...usable.flatMap(item => effectOf(item) ?? [])]
  drafts.push(...(await applyStatuses(trx, orgId, effects.filter(isStatus), parts)))
  drafts.push(...(await applyMarks(trx, orgId, effects.filter(isMark), parts)))
  return { drafts, hasMedia: media.length > 0 }
}

/** A `message` event for each new message, a `conversation` event for each row that changed without one. */
const draftMessages = async (
  db: Db,
  orgId: string,
  fresh: readonly Fresh[],
  touched: ReadonlySet<ListRow>,
): Promise<EventDraft[]> => {
  const tags = await tagsOf(
    db,
    orgId,
    [...touched].map(row => row.contact_id),
  )
  const presented = new Map<ListRow, ReturnType<typeof presentConversation>>()
  const present = (row: ListRow) => {
    const known = presented.get(row) ?? presentConversation(row, tags.get(row.contact_id))
    presented.set(row, known)
    return known
  }
  const messages = fresh.map(({ message, media, row }) => ({ row, message: readRow(message, media) }))
  const extras = {
    quotes: await quotesOf(
      db,
      orgId,
      messages.map(({ message }) => message),
    ),
    reactions: noReactions,
    failureText: spanishFailure,
  }
  const drafts: EventDraft[] = messages.map(({ row, message }) => {
    const conversation = present(row)
    const data = { number: conversation.phone, message: presentMessage(message, extras), conversation }
    return { type: 'message', number: conversation.phone, data }
  })
  for (const row of touched) {
    if (presented.has(row)) continue
    drafts.push({ type: 'conversation', number: addressOf(row), data: { conversation: present(row) } })
  }
  return drafts
}
