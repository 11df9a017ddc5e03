import { type MessageFacts, withFailure } from '#server/messaging/events.ts'
import type { MessageContent } from '#server/whatsapp/webhooks/inbound.ts'
import { hasFile } from '#shared/inbox/message-kinds.ts'
import { type Direction, type Message, mediaPath, type Waiting } from '#shared/inbox/messages.ts'
import type { SayFailure } from './delivery/failure.ts'
import type { MessageRow, QuoteRow, ReactionRow } from './message-store.ts'

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
interface MessageExtras {
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
