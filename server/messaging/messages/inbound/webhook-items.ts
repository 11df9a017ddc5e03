import { type Choose, giveUnsaved } from '#server/messaging/assignment/giving-out.ts'
import { emitOpened } from '#server/messaging/conversations/changes/opened.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { emitMerges } from '#server/messaging/directory/merge.ts'
import { callPeople } from '#server/messaging/people/call-people.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { applyMessageChanges, emitChanges } from '../changes/changes.ts'
import {
  type MessageChange,
  type PendingEffect,
  type StatusEffect,
  takeEffects,
} from '../changes/early-change-store.ts'
import { applyReaction, findReacted } from '../changes/reactions.ts'
import { applyStatuses } from '../delivery/statuses.ts'
import { insertMedia } from '../message-store.ts'
import { applyInbound } from './applying.ts'
import type { BotAnswers, Bots } from './asked-message.ts'
import { askedOf } from './asking-flows.ts'
import { type Arrived, emitControlChanges, emitMessages, type RowBefore } from './events.ts'
import { isAddressable, isPosted, numberOfItems, sendersOf, storeInbound } from './messages.ts'
import { withRecipients } from './past-files.ts'
import { type ActionOf, tappedActions } from './tapped.ts'

interface ApplyParts extends DirectoryParts {
  /** Lets flows answer. Absent: no flow answers. */
  bots?: Bots
  /** Chooses whom a conversation is assigned to. Absent: conversations are not assigned automatically. */
  choosing?: Choose
  /** Finds the action of a tapped button. Absent: buttons have no actions. */
  actionOf?: ActionOf
}

const effectOf = (item: WebhookItem): PendingEffect | undefined => {
  if (item.kind === 'status') {
    const { kind, wamid, at, status, failure, callback, freeUntil, pricing } = item
    return { kind, wamid, at, status, failure, callback, freeUntil, pricing }
  }
  if (item.kind === 'reaction') {
    const { kind, at, targetWamid, emoji } = item
    return { kind, at, targetWamid, emoji, by: item.fromUs ? 'us' : 'contact' }
  }
  if (item.kind === 'edit' || item.kind === 'revoke') {
    const { at, targetWamid, sender } = item
    const from = sender.waId ?? sender.bsuid
    const change = { at, targetWamid, by: item.fromUs ? 'us' : 'contact', ...(from ? { from } : {}) } as const
    return item.kind === 'edit' ? { kind: item.kind, ...change, text: item.text } : { kind: item.kind, ...change }
  }
  return undefined
}

const isStatus = (effect: PendingEffect): effect is StatusEffect => effect.kind === 'status'
const isMessageChange = (effect: PendingEffect): effect is MessageChange => effect.kind !== 'status'

const beganToWait = (row: ListRow, before: ReadonlyMap<ListRow, RowBefore>) =>
  row.control === 'needsHuman' && before.get(row)?.control !== 'needsHuman'

/**
 * Applies the webhook items of one organization. Repeated items change nothing, items that precede their message are
 * kept for later, and the order of arrival matters only between equal times. Emits events for the changes. Returns the
 * files to download.
 */
export async function applyItems(
  write: OrgWrite,
  received: readonly WebhookItem[],
  parts: ApplyParts,
): Promise<{ mediaIds: string[] }> {
  const { db, orgId } = write
  const items = await withRecipients(db, orgId, received)
  // A sender without an identifier cannot be assigned to a contact. Reading webhooks should never return one.
  const usable = items.filter(item => !isPosted(item) || sendersOf(item).some(isAddressable))
  const posted = usable.filter(isPosted)
  const directory = await openDirectory(db, orgId, usable.flatMap(sendersOf), parts)
  const needsNumber = usable.some(item => isPosted(item) || item.kind === 'reaction')
  const numberOf = numberOfItems(needsNumber ? await listOwnNumbers(db, orgId) : [])
  const { fresh, filled, merged, rows, opened } = await storeInbound(write, posted, directory, { ...parts, numberOf })

  const reacted = await findReacted(db, orgId, usable, directory, rows, numberOf)
  const before = new Map<ListRow, RowBefore>(
    [...rows.values()].map(row => [row, { control: row.control, archived: row.archived }]),
  )
  const reactions: typeof reacted = []
  for (const one of reacted) if (applyReaction(one)) reactions.push(one)
  const waiting = new Set<ListRow>(reactions.flatMap(({ row }) => (beganToWait(row, before) ? [row] : [])))
  const touched = new Set<ListRow>(reacted.map(({ row }) => row))
  const arrived: Arrived[] = []
  const actions = await tappedActions(write, fresh, parts.actionOf)
  const now = parts.clock.now().getTime()
  const bots = await parts.bots?.(write, askedOf(fresh, now, actions))
  const taken: BotAnswers['taken'] = bots?.taken ?? new Map()
  for (const one of fresh) {
    const { row, item, message, seq } = one
    arrived.push({ ...one, control: row.control })
    if (applyInbound(row, item, message, seq, taken.has(message.id))) waiting.add(row)
    touched.add(row)
  }
  const media = [...fresh.flatMap(draft => draft.media ?? []), ...filled.media]
  await insertMedia(db, media, { orgId, now: isoNow(parts.clock) })
  const given = await giveUnsaved(write, unanswered(arrived), parts.choosing)
  const givenUp = new Set(fresh.flatMap(({ row, item }) => (item.kind === 'handover' ? [row] : [])))
  const needy = [...waiting].filter(row => row.control === 'needsHuman')
  const calls = [
    ...callPeople(
      needy.filter(row => !givenUp.has(row)),
      parts.clock.now(),
    ),
    ...callPeople(
      needy.filter(row => givenUp.has(row)),
      parts.clock.now(),
      'handedOver',
    ),
  ]
  await saveConversations(db, [...touched], { orgId })
  await given.save()

  emitOpened(write, opened)
  await emitMessages(write, arrived, { touched, actions })
  await emitChanges(write, filled.messageIds, { relisted: filled.relisted })
  await emitMerges(write, merged)
  for (const [row, was] of before) emitControlChanges(write, row, was, { arrived, taken, now })
  given.emitEvents()
  for (const call of calls) write.emit(call)
  for (const { row, emoji, at } of reactions) {
    const control = before.get(row)?.control ?? row.control
    const data = { ...conversationRef(row), name: nameOf(row), emoji, control, assigneeId: row.assignee_id, at }
    write.emit({ type: 'conversation.reacted', data })
  }

  const early = await takeEffects(
    db,
    orgId,
    fresh.flatMap(({ message }) => (message.wamid ? [message.wamid] : [])),
  )
  const effects = [...early, ...usable.flatMap(item => effectOf(item) ?? [])]
  await applyStatuses(write, effects.filter(isStatus), parts)
  await applyMessageChanges(write, effects.filter(isMessageChange), parts)
  await bots?.follow()
  return { mediaIds: media.map(({ id }) => id) }
}

/** Unassigned conversations of these messages that wait for a person, including those that waited before. */
const unanswered = (arrived: readonly Arrived[]): ListRow[] => [
  ...new Set(
    arrived.flatMap(({ row, item }) => {
      const isNews = item.kind === 'handover' || (item.kind === 'message' && !item.past && item.groupId === undefined)
      return isNews && row.control === 'needsHuman' && row.assignee_id === null ? [row] : []
    }),
  ),
]
