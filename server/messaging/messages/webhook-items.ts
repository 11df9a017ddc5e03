import type { Control, FlowPass } from '#server/messaging/events.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { InboundContent, MessageContent, WebhookItem } from '#server/whatsapp/inbound.ts'
import { testCodeOf } from '#shared/flows/tests.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { type ActionOf, type TappedActions, tappedActions } from '../actions/tapped.ts'
import { type Choose, giveUnsaved } from '../assignment/giving-out.ts'
import { type DirectoryParts, openDirectory } from '../contacts/contacts.ts'
import { emitMerges } from '../contacts/merge.ts'
import { openWindow, setLastMessage } from '../conversations/conversations.ts'
import { type ListRow, tagsOf } from '../conversations/list-row-store.ts'
import { listOwnNumbers } from '../conversations/number-store.ts'
import { emitOpened } from '../conversations/opened.ts'
import { placeIn } from '../conversations/place-in.ts'
import { saveConversations } from '../conversations/save-store.ts'
import { callPeople } from '../people/call-people.ts'
import { type Asked, type BotAnswers, type Bots, decideControl } from '../people/control.ts'
import { messageFacts, nameOf, placeOf, presentConversation } from '../present.ts'
import { emitSnoozeEnded } from '../snoozes/snoozing.ts'
import type { Posted } from './draft.ts'
import { isNotice } from './draft.ts'
import { type MessageChange, type PendingEffect, type StatusEffect, takeEffects } from './early-change-store.ts'
import { type Fresh, isAddressable, isPosted, numberOfItems, sendersOf, storeInbound } from './inbound-messages.ts'
import { applyMessageChanges, emitChanges } from './message-changes.ts'
import { insertMedia, type NewMessage, newMessageRow, pendingMediaFacts, quotesOf } from './message-store.ts'
import { withRecipients } from './past-files.ts'
import { applyReaction, findReacted } from './reactions.ts'
import { applyStatuses } from './statuses.ts'

export interface ApplyParts extends DirectoryParts {
  /** Lets flows answer. Absent: no flow answers. */
  bots?: Bots
  /** Chooses whom a conversation is assigned to. Absent: conversations are not assigned automatically. */
  choosing?: Choose
  /** Finds the action of a tapped button. Absent: buttons have no actions. */
  actionOf?: ActionOf
}

type Heard = Extract<WebhookItem, { kind: 'message' }>

/** No flow answers a message that took longer to reach us, because the question may be settled by now. */
const wakesWithinMs = 3 * 60 * 1000

/** Milliseconds from sending to the arrival of the webhook. Our own delay in processing it does not count. */
const wayOf = ({ at, receivedAt }: { at: string; receivedAt?: string }, now: number): number =>
  (receivedAt === undefined ? now : Date.parse(receivedAt)) - Date.parse(at)

/** Why flows must not answer the message. Undefined: they may. A call is not a message that a flow can answer. */
const passOf = ({ body, ...item }: Heard, now: number): FlowPass | undefined => {
  if (body.type === 'call') return 'call'
  return wayOf(item, now) > wakesWithinMs ? 'late' : undefined
}

/** The advertisement of a referral. Null for none, and for a product of the catalogue. */
const adOf = (referral: MessageContent['referral']) =>
  referral === undefined || referral.sourceType === 'product' ? null : { id: referral.sourceId }

const sharedIn = ({ media, content }: InboundContent): Asked['shared'] => {
  if (media) return { kind: 'file', value: media.name ?? media.mime }
  const { latitude, longitude } = content?.location ?? {}
  return latitude === undefined ? undefined : { kind: 'location', value: `${latitude},${longitude}` }
}

/** The messages that flows may answer, with the state of their conversations before these messages. */
const askedOf = (fresh: readonly Fresh[], now: number, actions: TappedActions): Asked[] => {
  const seen = new Set<ListRow>()
  return fresh.flatMap(({ row, item, message }) => {
    if (item.kind !== 'message' || item.past || item.standby || row.blocked_at !== null) return []
    const isEarliest = !seen.has(row)
    seen.add(row)
    if (item.groupId !== undefined || passOf(item, now)) return []
    const isHeld = row.control === 'human' || row.control === 'needsHuman'
    // The test code of a flow works even while a person holds the conversation.
    if (isHeld && testCodeOf(message.text) === undefined) return []
    const { body } = item
    return [
      {
        messageId: message.id,
        conversationId: row.id,
        contactId: row.contact_id,
        text: message.text,
        isText: body.type === 'text' || body.type === 'choice',
        shared: sharedIn(body),
        tappedId: body.content?.choice?.id ?? null,
        action: actions.get(message.id),
        ad: adOf(body.content?.referral),
        at: message.at,
        hasBot: row.control === 'bot',
        isHeld,
        isFirst: isEarliest && row.last_message_seq === null,
        wasArchived: isEarliest && row.archived === placeIn.archived,
        lastAt: row.last_message_at,
      },
    ]
  })
}

/**
 * Whether the team answered or was called after `at`. Webhooks may arrive out of order, so an older item must not give
 * the conversation back to Meta's agent.
 */
const isTakenSince = (row: ListRow, at: string): boolean => {
  if (row.control === 'human') return row.last_message_direction === 'out' && at <= (row.last_message_at ?? '')
  return row.control === 'needsHuman' && at <= (row.last_human_event_at ?? '')
}

/** Applies a handover between Meta's agent and the team. Returns whether the customer began to wait for a person. */
const applyHandover = (row: ListRow, item: Extract<WebhookItem, { kind: 'handover' }>): boolean => {
  if (row.blocked_at !== null || isTakenSince(row, item.at)) return false
  if (item.at > row.last_activity_at) row.last_activity_at = item.at
  const before = row.control
  const kind = item.to === 'people' ? 'agentLeft' : 'agentAnswers'
  row.control = decideControl({ control: before, assigneeId: row.assignee_id }, { kind })
  row.archived = placeIn.open
  return row.control === 'needsHuman' && before !== 'needsHuman'
}

/** Applies a new message to its conversation. Returns whether the customer began to wait for a person. */
const applyInbound = (row: ListRow, item: Posted, message: NewMessage, seq: number, botTakes: boolean): boolean => {
  if (item.kind === 'handover') return applyHandover(row, item)
  if (isNotice(item)) {
    if (item.at > row.last_activity_at && row.last_message_seq === null) row.last_activity_at = item.at
    return false
  }
  const isAnsweredSince = isTakenSince(row, item.at)
  setLastMessage(row, { ...message, seq })
  if (item.past) return false
  // A blocked contact's message is stored but changes nothing else.
  if (row.blocked_at !== null && item.kind === 'message') return false
  // A reply of ours leaves a snoozed conversation snoozed.
  if (item.kind !== 'echo' || row.archived === placeIn.archived) row.archived = placeIn.open
  const held = { control: row.control, assigneeId: row.assignee_id }
  if (item.standby && !isAnsweredSince) row.control = decideControl(held, { kind: 'agentAnswers' })
  if (item.kind === 'echo') {
    row.waiting_since = null
    if (item.standby) return false
    row.control = decideControl(held, { kind: 'phoneWrote' })
    return false
  }
  row.unread += 1
  if (item.opensWindow) openWindow(row, item.at, item.wamid)
  if (item.standby) return false
  const group = item.groupId !== undefined
  if (!group) row.waiting_since ??= message.at
  row.control = decideControl(held, { kind: 'customerWrote', group, botTakes })
  return row.control === 'needsHuman' && held.control !== 'needsHuman'
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
const noReactions: ReadonlyMap<string, never[]> = new Map()

/** The fields of a row that are compared to emit events. */
interface RowBefore {
  readonly control: Control
  readonly archived: number
}

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
  const came: Came[] = []
  const actions = await tappedActions(write, fresh, parts.actionOf)
  const now = parts.clock.now().getTime()
  const bots = await parts.bots?.(write, askedOf(fresh, now, actions))
  const taken: BotAnswers['taken'] = bots?.taken ?? new Map()
  for (const one of fresh) {
    const { row, item, message, seq } = one
    came.push({ ...one, control: row.control })
    if (applyInbound(row, item, message, seq, taken.has(message.id))) waiting.add(row)
    touched.add(row)
  }
  const media = [...fresh.flatMap(draft => draft.media ?? []), ...filled.media]
  await insertMedia(db, media, { orgId, now: isoNow(parts.clock) })
  const given = await giveUnsaved(write, unanswered(came), parts.choosing)
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
  await emitMessages(write, came, { touched, actions })
  await emitChanges(write, filled.messageIds, { relisted: filled.relisted })
  await emitMerges(write, merged)
  for (const [row, was] of before) emitTurns(write, row, was, { came, taken, now })
  given.tell()
  for (const call of calls) write.emit(call)
  for (const { row, emoji, at } of reactions) {
    const control = before.get(row)?.control ?? row.control
    const data = { ...placeOf(row), name: nameOf(row), emoji, control, assigneeId: row.assignee_id, at }
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

/** A new message with `control` of its conversation before it. */
type Came = Fresh & { readonly control: Control }

/** Unassigned conversations of these messages that wait for a person, including those that waited before. */
const unanswered = (came: readonly Came[]): ListRow[] => [
  ...new Set(
    came.flatMap(({ row, item }) => {
      const isNews = item.kind === 'handover' || (item.kind === 'message' && !item.past && item.groupId === undefined)
      return isNews && row.control === 'needsHuman' && row.assignee_id === null ? [row] : []
    }),
  ),
]

const phone: EventActor = { kind: 'phone', id: null, name: null }
const metaAgent: EventActor = { kind: 'vendor', id: 'metaAgent', name: null }

/** The actor of the events of a new message. */
const actorOf = ({ item }: Came, customer: EventActor): EventActor => {
  if (item.kind === 'handover' || (item.kind === 'echo' && item.standby)) return metaAgent
  return item.kind === 'echo' ? phone : customer
}

/** Emits that a conversation was unarchived or that its `control` changed. */
const emitTurns = (
  { emit }: OrgWrite,
  row: ListRow,
  was: RowBefore,
  { came, taken, now }: { came: readonly Came[]; taken: BotAnswers['taken']; now: number },
) => {
  const customer: EventActor = { kind: 'customer', id: row.contact_id, name: nameOf(row) }
  if (was.archived === placeIn.snoozed && row.archived === placeIn.open)
    emitSnoozeEnded({ emit }, row, { why: 'answered', by: customer })
  const isUnarchived = was.archived === placeIn.archived && row.archived === placeIn.open
  if (was.control === row.control && !isUnarchived) return
  const isOurs = came.some(one => one.row === row && one.item.kind === 'echo') && row.control === 'human'
  const by = isOurs ? phone : customer
  if (isUnarchived) {
    const first = came.find(one => one.row === row && !(!isNotice(one.item) && one.item.past))
    const whose = first ? actorOf(first, customer) : customer
    emit({ type: 'conversation.unarchived', data: { ...placeOf(row), by: whose } })
  }
  if (was.control === row.control) return
  const flow = came.map(one => (one.row === row ? taken.get(one.message.id) : undefined)).find(Boolean)
  const isBots = row.control === 'bot' && flow
  const isAgents = row.control === 'metaAgent' || came.some(one => one.row === row && one.item.kind === 'handover')
  const actor: EventActor = isBots ? { kind: 'bot', id: flow.flowId, name: flow.name } : isAgents ? metaAgent : by
  const passed = came.flatMap(({ row: of, item }) =>
    of === row && item.kind === 'message' && !item.past ? (passOf(item, now) ?? []) : [],
  )[0]
  emit({
    type: 'conversation.controlChanged',
    data: { ...placeOf(row), from: was.control, to: row.control, by: actor, ...(passed ? { passed } : {}) },
  })
}

/** Emits an event for each new message, and `conversation.changed` for each row that changed without a new message. */
const emitMessages = async (
  { db, orgId, emit }: OrgWrite,
  came: readonly Came[],
  { touched, actions }: { touched: ReadonlySet<ListRow>; actions: TappedActions },
) => {
  const tags = await tagsOf(
    db,
    orgId,
    [...touched].map(row => row.contact_id),
  )
  const presented = new Map<ListRow, Conversation>()
  const present = (row: ListRow) => {
    const known = presented.get(row) ?? presentConversation(row, tags.get(row.contact_id))
    presented.set(row, known)
    return known
  }
  const stored = came.map(one => ({
    ...one,
    stored: newMessageRow(one.message, one.media && pendingMediaFacts(one.media)),
  }))
  const extras = {
    quotes: await quotesOf(
      db,
      orgId,
      stored.map(one => one.stored),
    ),
    reactions: noReactions,
  }
  for (const { row, item, control, stored: message } of stored) {
    const data = { ...placeOf(row), message: messageFacts(message, extras), conversation: present(row) }
    if (isNotice(item)) emit({ type: 'message.noted', data })
    else {
      // A blocked contact's message causes no notification, like imported history.
      const past = (item.past ?? false) || (item.kind === 'message' && row.blocked_at !== null)
      if (item.kind === 'echo')
        emit({ type: 'message.sent', data: { ...data, by: item.standby ? metaAgent : phone, past } })
      else {
        const action = actions.get(message.id)
        const about = { past, group: item.groupId !== undefined, control, ...(action ? { action } : {}) }
        emit({ type: 'message.received', data: { ...data, ...about } })
      }
    }
  }
  for (const row of touched)
    if (!presented.has(row))
      emit({ type: 'conversation.changed', data: { ...placeOf(row), conversation: present(row) } })
}
