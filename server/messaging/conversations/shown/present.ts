import { archiveStates } from '#server/messaging/archive-states.ts'
import type { OfConversation } from '#server/messaging/events.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { isAddress } from '#shared/inbox/chat-address.ts'
import type { Conversation, MatchingChat } from '#shared/inbox/conversations.ts'
import type { Direction, Message } from '#shared/inbox/messages.ts'
import { isPersons, shownControl } from '../control.ts'
import { neverActive, noticeOf, optOutOf, type ShownRow, type TagRow } from '../rows/list-row-store.ts'

/** A contact's name: name, profile name, @username, international number or user id, the first that is known. */
export const nameOf = (contact: Pick<ShownRow, 'name' | 'profile_name' | 'username' | 'wa_id' | 'bsuid'>): string =>
  contact.name ||
  contact.profile_name ||
  (contact.username && `@${contact.username}`) ||
  (contact.wa_id && displayPhone(contact.wa_id)) ||
  contactAddress(contact)

const maxSentenceChars = 140
/** The longest sentence around a name, without the name. */
const sentenceChars = ' espera una respuesta'.length

/** Shortens a name so that its sentence has at most 140 characters. */
export const shortName = (name: string): string => {
  const room = maxSentenceChars - sentenceChars
  if (name.length <= room) return name
  const cut = name.slice(0, room - 1).toWellFormed()
  return `${cut.replace(/\uFFFD$/, '')}…`
}

/** Identifies a row's conversation in events. */
export const conversationRef = (
  row: Pick<ShownRow, 'id' | 'contact_id' | 'wa_id' | 'bsuid' | 'own_phone'>,
): OfConversation => ({
  conversationId: row.id,
  contactId: row.contact_id,
  number: contactAddress(row),
  ...(row.own_phone === null && isAddress(contactAddress(row)) ? {} : { address: row.id }),
})

/** While it is snoozed; and after it came back, until something else happens in it. */
const snoozeOf = (row: ShownRow): Pick<Conversation, 'snoozedUntil' | 'snooze'> => {
  const { archived, snooze_until: until, snooze_by_id: id, snooze_at: at, snooze_ended_at: endedAt } = row
  if (until === null || id === null || at === null) return {}
  const snooze = {
    by: { id, name: row.snooze_by_name ?? '' },
    at,
    ...(row.snooze_if_no_answer ? { ifNoAnswer: true as const } : {}),
  }
  if (archived === archiveStates.snoozed) return { snoozedUntil: until, snooze }
  if (archived !== archiveStates.open || endedAt === null || endedAt !== row.last_activity_at) return {}
  return (row.last_message_at ?? '') < endedAt ? { snooze: { ...snooze, returnedAt: endedAt } } : {}
}

/** The facts of a chat that a selection of many chats needs. */
export const presentMatching = (row: ShownRow, tags: readonly TagRow[] = []): MatchingChat => ({
  id: row.id,
  unread: row.unread,
  tags: tags.map(({ id, label, hue }) => ({ id, label, hue })),
  archived: row.archived === archiveStates.archived,
  windowClosesAt: row.window_closes_at,
  control: shownControl(row.control),
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
  ...(row.team_id === null || row.team_name === null ? {} : { team: { id: row.team_id, name: row.team_name } }),
})

export function presentConversation(row: ShownRow, tags: readonly TagRow[] = []): Conversation {
  const optOut = optOutOf(row)
  const news = noticeOf(row)
  return {
    ...presentMatching(row, tags),
    phone: contactAddress(row),
    name: nameOf(row),
    displayPhone: row.wa_id ? displayPhone(row.wa_id) : '',
    username: row.username,
    lastMessage:
      row.last_message_at === null
        ? null
        : {
            text: row.last_message_text ?? '',
            type: row.last_message_type as Message['type'],
            at: row.last_message_at,
            direction: row.last_message_direction as Direction,
            status: row.last_message_status as Message['status'],
            ...(row.last_message_error === null ? {} : { error: row.last_message_error }),
            ...(news ? { news } : {}),
          },
    ...(row.last_activity_at === neverActive
      ? { bulkOnly: true as const }
      : row.last_activity_at === row.last_message_at
        ? {}
        : { activityAt: row.last_activity_at }),
    ...snoozeOf(row),
    ...(row.waiting_since === null || row.archived === archiveStates.archived
      ? {}
      : { waitingSince: row.waiting_since }),
    ...(row.free_until === null ? {} : { freeUntil: row.free_until }),
    ...(row.own_phone === null ? {} : { number: row.own_phone }),
    ...(optOut ? { optOut } : {}),
    ...(row.is_group ? { group: true } : {}),
    ...(row.answer_due_at !== null && row.archived === 0 && isPersons(row.control)
      ? { answerDueAt: row.answer_due_at }
      : {}),
  }
}

/** A short form for choosing a chat. */
export const presentLean = (row: ShownRow, tags: readonly TagRow[] = []) => {
  const phone = contactAddress(row)
  return {
    id: row.id,
    phone,
    number: phone,
    name: nameOf(row),
    tags: tags.map(({ id, label, hue }) => ({ id, label, hue })),
    lastAt: row.last_message_at,
  }
}
