import { type Choose, giveUnsaved } from '#server/messaging/assignment/giving-out.ts'
import { emitOpened } from '#server/messaging/conversations/changes/opened.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { type DirectoryParts, openDirectory } from '#server/messaging/directory/directory.ts'
import { emitMerges } from '#server/messaging/directory/merge.ts'
import { callPeople } from '#server/messaging/people/call-people.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { applyMessageChanges, emitChanges } from '../changes/changes.ts'
import {
  type MessageChange,
  type PendingEffect,
  type StatusEffect,
  takeEffects,
} from '../changes/early-change-store.ts'
import { applyReaction, findReacted, type Reacted } from '../changes/reactions.ts'
import { applyStatuses } from '../delivery/statuses.ts'
import { insertMedia } from '../message-store.ts'
import { applyInbound } from './applying.ts'
import type { BotAnswers, Bots } from './asked-message.ts'
import { askedOf } from './asking-flows.ts'
import { type Arrived, emitControlChanges, emitMessages, type RowBefore } from './events.ts'
import {
  type Fresh,
  isAddressable,
  isPosted,
  type NumberOfItem,
  numberOfItems,
  sendersOf,
  storeInbound,
} from './messages.ts'
import { type Filled, withRecipients } from './past-files.ts'
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

/** The items that concern somebody whom we can write to, with the recipients of old files filled in. */
async function readUsable({ db, orgId }: OrgWrite, received: readonly WebhookItem[]): Promise<WebhookItem[]> {
  const items = await withRecipients(db, orgId, received)
  // A sender without an identifier cannot be assigned to a contact. Reading webhooks should never return one.
  return items.filter(item => !isPosted(item) || sendersOf(item).some(isAddressable))
}

/** Numbers are read only if an item needs the one that received it. */
async function readNumbers({ db, orgId }: OrgWrite, items: readonly WebhookItem[]): Promise<NumberOfItem> {
  const isNeeded = items.some(item => isPosted(item) || item.kind === 'reaction')
  return numberOfItems(isNeeded ? await listOwnNumbers(db, orgId) : [])
}

type Before = ReadonlyMap<ListRow, RowBefore>

const copyBefore = (rows: Iterable<ListRow>): Before =>
  new Map([...rows].map(row => [row, { control: row.control, archived: row.archived }]))

const beganToWait = (row: ListRow, before: Before) =>
  row.control === 'needsHuman' && before.get(row)?.control !== 'needsHuman'

/** Applies reactions to their rows. Returns those that the list shows, and the rows that began to wait for a person. */
function applyReactions(reacted: readonly Reacted[], before: Before) {
  const shown: Reacted[] = []
  for (const one of reacted) if (applyReaction(one)) shown.push(one)
  return { shown, waiting: shown.map(({ row }) => row).filter(row => beganToWait(row, before)) }
}

/** Applies new messages to their rows. Returns the rows that began to wait for a person. */
function applyMessages(fresh: readonly Fresh[], taken: BotAnswers['taken']) {
  const arrived: Arrived[] = []
  const waiting: ListRow[] = []
  for (const one of fresh) {
    const { row, item, message, seq } = one
    arrived.push({ ...one, control: row.control })
    if (applyInbound(row, item, message, seq, taken.has(message.id))) waiting.push(row)
  }
  return { arrived, waiting }
}

/** Stores the files of messages, which are downloaded after the commit. */
async function storeMedia({ db, orgId }: OrgWrite, fresh: readonly Fresh[], { media }: Filled, clock: Clock) {
  const files = [...fresh.flatMap(draft => draft.media ?? []), ...media]
  await insertMedia(db, files, { orgId, now: isoNow(clock) })
  return files
}

/** Calls people to the rows that still wait. What Meta's agent handed over has another notice. Changes these rows. */
function callToWaiting(waiting: ReadonlySet<ListRow>, fresh: readonly Fresh[], now: Date): DomainEvent[] {
  const handedOver = new Set(fresh.flatMap(({ row, item }) => (item.kind === 'handover' ? [row] : [])))
  const needy = [...waiting].filter(row => row.control === 'needsHuman')
  const wrote = needy.filter(row => !handedOver.has(row))
  const left = needy.filter(row => handedOver.has(row))
  return [...callPeople(wrote, now), ...callPeople(left, now, 'handedOver')]
}

function emitReactions({ emit }: OrgWrite, shown: readonly Reacted[], before: Before): void {
  for (const { row, emoji, at } of shown) {
    const control = before.get(row)?.control ?? row.control
    const data = { ...conversationRef(row), name: nameOf(row), emoji, control, assigneeId: row.assignee_id, at }
    emit({ type: 'conversation.reacted', data })
  }
}

/** Applies what items say about stored messages, and what earlier items said about messages that arrive only now. */
async function applyEffects(
  write: OrgWrite,
  items: readonly WebhookItem[],
  fresh: readonly Fresh[],
  parts: ApplyParts,
): Promise<void> {
  const wamids = fresh.flatMap(({ message }) => (message.wamid ? [message.wamid] : []))
  const early = await takeEffects(write.db, write.orgId, wamids)
  const effects = [...early, ...items.flatMap(item => effectOf(item) ?? [])]
  await applyStatuses(write, effects.filter(isStatus), parts)
  await applyMessageChanges(write, effects.filter(isMessageChange), parts)
}

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
  const items = await readUsable(write, received)
  const directory = await openDirectory(db, orgId, items.flatMap(sendersOf), parts)
  const numberOf = await readNumbers(write, items)
  const stored = await storeInbound(write, items.filter(isPosted), directory, { ...parts, numberOf })
  const { fresh, filled, rows } = stored
  const reacted = await findReacted(db, orgId, items, directory, rows, numberOf)
  const before = copyBefore(rows.values())

  // Flows decide by the rows as they are after the reactions and before the messages.
  const reactions = applyReactions(reacted, before)
  const actions = await tappedActions(write, fresh, parts.actionOf)
  const now = parts.clock.now().getTime()
  const bots = await parts.bots?.(write, askedOf(fresh, now, actions))
  const taken: BotAnswers['taken'] = bots?.taken ?? new Map()
  const messages = applyMessages(fresh, taken)
  const { arrived } = messages

  const media = await storeMedia(write, fresh, filled, parts.clock)
  const given = await giveUnsaved(write, unanswered(arrived), parts.choosing)
  const calls = callToWaiting(new Set([...reactions.waiting, ...messages.waiting]), fresh, parts.clock.now())
  const touched = new Set([...reacted, ...fresh].map(({ row }) => row))
  await saveConversations(db, [...touched], { orgId })
  await given.save()

  emitOpened(write, stored.opened)
  await emitMessages(write, arrived, { touched, actions })
  await emitChanges(write, filled.messageIds, { relisted: filled.relisted })
  await emitMerges(write, stored.merged)
  for (const [row, was] of before) emitControlChanges(write, row, was, { arrived, taken, now })
  given.emitEvents()
  for (const call of calls) write.emit(call)
  emitReactions(write, reactions.shown, before)

  await applyEffects(write, items, fresh, parts)
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
