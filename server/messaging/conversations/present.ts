import { type MessageFacts, type OfConversation, withFailure } from '#server/messaging/events.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { isAddress } from '#shared/inbox/chat-address.ts'
import type { Conversation, MatchingChat } from '#shared/inbox/conversations.ts'
import { hasFile } from '#shared/inbox/message-kinds.ts'
import { type Direction, type LastMessage, type Message, mediaPath, type Waiting } from '#shared/inbox/messages.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import type { MessageContent } from '../../whatsapp/inbound.ts'
import { addressOf } from '../identifier.ts'
import type { SayFailure } from '../messages/failure.ts'
import type { MessageRow, QuoteRow, ReactionRow } from '../messages/message-store.ts'
import { placeIn } from '../place-in.ts'
import { isPersons, shownControl } from './control.ts'
import { neverActive, type ShownRow, type TagRow } from './list-row-store.ts'

/** A contact's name: name, profile name, @username, international number or user id, the first that is known. */
export const nameOf = (contact: Pick<ShownRow, 'name' | 'profile_name' | 'username' | 'wa_id' | 'bsuid'>): string =>
  contact.name ||
  contact.profile_name ||
  (contact.username && `@${contact.username}`) ||
  (contact.wa_id && displayPhone(contact.wa_id)) ||
  addressOf(contact)

/** Identifies a row's conversation in events. */
export const placeOf = (
  row: Pick<ShownRow, 'id' | 'contact_id' | 'wa_id' | 'bsuid' | 'own_phone'>,
): OfConversation => ({
  conversationId: row.id,
  contactId: row.contact_id,
  number: addressOf(row),
  ...(row.own_phone === null && isAddress(addressOf(row)) ? {} : { address: row.id }),
})

/** WhatsApp's notice, which clients put into words. */
const noticeOf = (content: string): Pick<LastMessage, 'news'> => {
  const { news } = JSON.parse(content) as MessageContent
  return news ? { news } : {}
}

/** While it is snoozed; and after it came back, until something else happens in it. */
const snoozeOf = (row: ShownRow): Pick<Conversation, 'snoozedUntil' | 'snooze'> => {
  const { archived, snooze_until: until, snooze_by_id: id, snooze_at: at, snooze_ended_at: endedAt } = row
  if (until === null || id === null || at === null) return {}
  const snooze = {
    by: { id, name: row.snooze_by_name ?? '' },
    at,
    ...(row.snooze_if_no_answer ? { ifNoAnswer: true as const } : {}),
  }
  if (archived === placeIn.snoozed) return { snoozedUntil: until, snooze }
  if (archived !== placeIn.open || endedAt === null || endedAt !== row.last_activity_at) return {}
  return (row.last_message_at ?? '') < endedAt ? { snooze: { ...snooze, returnedAt: endedAt } } : {}
}

/** The facts of a chat that a selection of many chats needs. */
export const presentMatching = (row: ShownRow, tags: readonly TagRow[] = []): MatchingChat => ({
  id: row.id,
  unread: row.unread,
  tags: tags.map(({ id, label, hue }) => ({ id, label, hue })),
  archived: row.archived === placeIn.archived,
  windowClosesAt: row.window_closes_at,
  control: shownControl(row.control),
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
  ...(row.team_id === null || row.team_name === null ? {} : { team: { id: row.team_id, name: row.team_name } }),
})

export const presentConversation = (row: ShownRow, tags: readonly TagRow[] = []): Conversation => ({
  ...presentMatching(row, tags),
  phone: addressOf(row),
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
          ...(row.last_message_notice === null ? {} : noticeOf(row.last_message_notice)),
        },
  ...(row.last_activity_at === neverActive
    ? { bulkOnly: true as const }
    : row.last_activity_at === row.last_message_at
      ? {}
      : { activityAt: row.last_activity_at }),
  ...snoozeOf(row),
  ...(row.waiting_since === null || row.archived === placeIn.archived ? {} : { waitingSince: row.waiting_since }),
  ...(row.free_until === null ? {} : { freeUntil: row.free_until }),
  ...(row.own_phone === null ? {} : { number: row.own_phone }),
  ...(row.opt_out === null ? {} : { optOut: JSON.parse(row.opt_out) as OptOut }),
  ...(row.is_group ? { group: true } : {}),
  ...(row.answer_due_at !== null && row.archived === 0 && isPersons(row.control)
    ? { answerDueAt: row.answer_due_at }
    : {}),
})

/** A short form for choosing a chat. */
export const presentLean = (row: ShownRow, tags: readonly TagRow[] = []) => {
  const phone = addressOf(row)
  return {
    id: row.id,
    phone,
    number: phone,
    name: nameOf(row),
    tags: tags.map(({ id, label, hue }) => ({ id, label, hue })),
    lastAt: row.last_message_at,
  }
}

const presentQuote = (
  wamid: string,
  conversationId: string,
  quote: QuoteRow | undefined,
): NonNullable<Message['replyTo']> => {
  if (!quote || quote.conversation_id !== conversationId) return { wamid, id: null, text: null, direction: null }
  const { id, text, picture_id: picture } = quote
  const kind = { type: quote.type as Message['type'], direction: quote.direction as Direction }
  const by = quote.author_kind === 'person' && quote.author_name ? { by: quote.author_name } : {}
  return { wamid, id, ...kind, text, ...by, ...(picture === undefined ? {} : { picture: mediaPath(picture) }) }
}

/** Why a file is missing, if the organization or the sender can act on it. */
const mediaProblems = { NO_ROOM: 'noRoom', TOO_LARGE: 'tooLarge', EXPIRED: 'expired' } as const
const problemOf = ({
  media_state: state,
  media_error: code,
}: MessageRow): Pick<NonNullable<Message['media']>, 'problem'> => {
  const isKnown = state === 'failed' && code != null && Object.hasOwn(mediaProblems, code)
  return isKnown ? { problem: mediaProblems[code as keyof typeof mediaProblems] } : {}
}

const presentMedia = (row: MessageRow): NonNullable<Message['media']> => ({
  url: mediaPath(row.media_id as string),
  mime: row.media_mime as string,
  name: row.media_name ?? null,
  size: row.media_size ?? null,
  state: row.media_state as 'pending' | 'stored' | 'failed',
  ...problemOf(row),
  ...(row.media_width && row.media_height ? { width: row.media_width, height: row.media_height } : {}),
})

/** Data of a message from other tables. */
export interface MessageExtras {
  quotes: ReadonlyMap<string, QuoteRow>
  reactions: ReadonlyMap<string, readonly ReactionRow[]>
  /** Messages that wait to be sent. */
  waiting?: ReadonlyMap<string, Waiting> | undefined
}

/** A message for the API, in the reader's language. */
export const presentMessage = (row: MessageRow, extras: MessageExtras & { sayFailure: SayFailure }): Message =>
  withFailure(messageFacts(row, extras), extras.sayFailure)

/** A message without translated texts. Of a deleted one, only the fact remains. */
export function messageFacts(row: MessageRow, extras: MessageExtras): MessageFacts {
  const message: MessageFacts = {
    id: row.id,
    wamid: row.wamid,
    direction: row.direction as Message['direction'],
    type: row.type as Message['type'],
    text: row.text,
    at: row.at,
    status: row.status as Message['status'],
  }
  if (row.content !== null) Object.assign(message, JSON.parse(row.content) as MessageContent)
  if (row.error_code !== null) message.error = { code: row.error_code, at: row.failed_at ?? row.at }
  if (row.unconfirmed) message.unconfirmed = true
  const waiting = extras.waiting?.get(row.id)
  if (waiting) message.waiting = waiting
  if (row.author_kind !== null)
    message.author = { kind: row.author_kind as NonNullable<Message['author']>['kind'], name: row.author_name }
  if (row.client_key !== null) message.clientKey = row.client_key
  if (row.reply_to_wamid !== null)
    message.replyTo = presentQuote(row.reply_to_wamid, row.conversation_id, extras.quotes.get(row.reply_to_wamid))
  if (row.media_id && row.revoked_at === null) {
    // If the message type has no file, the file is the image of its advertisement.
    if (message.referral && !hasFile(row.type)) message.referral = { ...message.referral, file: presentMedia(row) }
    else message.media = presentMedia(row)
  }
  const reactions = extras.reactions.get(row.id)
  if (reactions) message.reactions = reactions.map(({ emoji, by, at }) => ({ emoji, by: by as 'contact' | 'us', at }))
  if (row.edited_at !== null) message.editedAt = row.edited_at
  if (row.revoked_at !== null) message.revokedAt = row.revoked_at
  return message
}
