import { archiveStates } from '#server/messaging/archive-states.ts'
import { emitSnoozeEnded } from '#server/messaging/conversations/changes/snooze-ended.ts'
import { type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import type { Control } from '#server/messaging/events.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { newMessageRow, pendingMediaFacts, readQuotes } from '../message-store.ts'
import { messageFacts } from '../present.ts'
import type { BotAnswers } from './asked-message.ts'
import { passOf } from './asking-flows.ts'
import { isNotice } from './draft.ts'
import type { Fresh } from './messages.ts'
import type { TappedActions } from './tapped.ts'

/** A new message with `control` of its conversation before it. */
export type Arrived = Fresh & { readonly control: Control }

/** The fields of a row that are compared to emit events. */
export interface RowBefore {
  readonly control: Control
  readonly archived: number
}

const noReactions: ReadonlyMap<string, never[]> = new Map()
const phone: EventActor = { kind: 'phone', id: null, name: null }
const metaAgent: EventActor = { kind: 'vendor', id: 'metaAgent', name: null }

/** The actor of the events of a new message. */
const actorOf = ({ item }: Arrived, customer: EventActor): EventActor => {
  if (item.kind === 'handover' || (item.kind === 'echo' && item.standby)) return metaAgent
  return item.kind === 'echo' ? phone : customer
}

/** Emits that a conversation was unarchived or that its `control` changed. */
export const emitControlChanges = (
  { emit }: OrgWrite,
  row: ListRow,
  was: RowBefore,
  { arrived, taken, now }: { arrived: readonly Arrived[]; taken: BotAnswers['taken']; now: number },
) => {
  const customer: EventActor = { kind: 'customer', id: row.contact_id, name: nameOf(row) }
  if (was.archived === archiveStates.snoozed && row.archived === archiveStates.open)
    emitSnoozeEnded({ emit }, row, { why: 'answered', by: customer })
  const isUnarchived = was.archived === archiveStates.archived && row.archived === archiveStates.open
  if (was.control === row.control && !isUnarchived) return
  const isOurs = arrived.some(one => one.row === row && one.item.kind === 'echo') && row.control === 'human'
  const by = isOurs ? phone : customer
  if (isUnarchived) {
    const first = arrived.find(one => one.row === row && !(!isNotice(one.item) && one.item.past))
    const whose = first ? actorOf(first, customer) : customer
    emit({ type: 'conversation.unarchived', data: { ...conversationRef(row), by: whose } })
  }
  if (was.control === row.control) return
  const flow = arrived.map(one => (one.row === row ? taken.get(one.message.id) : undefined)).find(Boolean)
  const isBots = row.control === 'bot' && flow
  const isAgents = row.control === 'metaAgent' || arrived.some(one => one.row === row && one.item.kind === 'handover')
  const actor: EventActor = isBots ? { kind: 'bot', id: flow.flowId, name: flow.name } : isAgents ? metaAgent : by
  const passed = arrived.flatMap(({ row: of, item }) =>
    of === row && item.kind === 'message' && !item.past ? (passOf(item, now) ?? []) : [],
  )[0]
  emit({
    type: 'conversation.controlChanged',
    data: { ...conversationRef(row), from: was.control, to: row.control, by: actor, ...(passed ? { passed } : {}) },
  })
}

/** Emits an event for each new message, and `conversation.changed` for each row that changed without a new message. */
export const emitMessages = async (
  { db, orgId, emit }: OrgWrite,
  arrived: readonly Arrived[],
  { touched, actions }: { touched: ReadonlySet<ListRow>; actions: TappedActions },
) => {
  const tags = await readTagsOfContacts(
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
  const stored = arrived.map(one => ({
    ...one,
    stored: newMessageRow(one.message, one.media && pendingMediaFacts(one.media)),
  }))
  const extras = {
    quotes: await readQuotes(
      db,
      orgId,
      stored.map(one => one.stored),
    ),
    reactions: noReactions,
  }
  for (const { row, item, control, stored: message } of stored) {
    const data = { ...conversationRef(row), message: messageFacts(message, extras), conversation: present(row) }
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
      emit({ type: 'conversation.changed', data: { ...conversationRef(row), conversation: present(row) } })
}
