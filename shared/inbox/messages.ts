import { type Static, Type } from 'typebox'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { Activity, Named } from './activity.ts'
import { FailureNext } from './failures.ts'
import { kindContent, MessageType, News } from './message-kinds.ts'

const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const
export const MessageStatus = Type.Enum(messageStatuses)
export type MessageStatus = (typeof messageStatuses)[number]

const directions = ['in', 'out'] as const
export const Direction = Type.Enum(directions)
export type Direction = (typeof directions)[number]

/** `internal`: activity lines and notes, which are never sent. */
export const MessageDirection = Type.Enum([...directions, 'internal'])
export type MessageDirection = Static<typeof MessageDirection>

/**
 * Why it failed: our stable code (Meta's number where there is one), a sentence in the caller's language, and what to
 * do next. A product API that keeps the conversations may say nothing of the last.
 */
export const MessageFailure = Type.Object({
  code: Type.String(),
  message: Type.String(),
  next: Type.Optional(FailureNext),
})
export type MessageFailure = Static<typeof MessageFailure>

/**
 * Why a queued message was not sent yet. `pace`: WhatsApp limits this customer · `limit`: WhatsApp limits this number ·
 * `trouble`: WhatsApp failed or could not be reached · `order`: an earlier message of the chat waits.
 */
const waitingReasons = ['pace', 'limit', 'trouble', 'order'] as const
export type WaitingReason = (typeof waitingReasons)[number]
export const Waiting = Type.Object({
  reason: Type.Enum(waitingReasons),
  until: Type.String({ description: 'When it is tried next, ISO 8601 in UTC. Once that has passed it is leaving.' }),
})
export type Waiting = Static<typeof Waiting>

/** The address of a message's file for members. `id` is the file's own. */
export const mediaPath = (id: string): string => `/api/whatsapp/media/${id}`

const MediaState = Type.Enum(['pending', 'stored', 'failed'])
export const Media = Type.Object({
  url: Type.String({ description: 'Address on this site, for members only; usable once `state` is `stored`.' }),
  mime: Type.String(),
  name: Nullable(Type.String()),
  size: Nullable(Type.Integer({ description: 'Bytes' })),
  state: MediaState,
  problem: Type.Optional(
    Type.Enum(['noRoom', 'tooLarge', 'expired'], {
      description:
        'Why it failed: the organization has no room left for files; it is larger than any may be, or WhatsApp has it no more, and another try is of no use.',
    }),
  ),
  width: Type.Optional(Type.Integer({ description: 'Of a picture, in pixels, where the file says so.' })),
  height: Type.Optional(Type.Integer({ description: 'Of a picture, in pixels, where the file says so.' })),
})
export type Media = Static<typeof Media>

const Reaction = Type.Object({
  emoji: Type.String(),
  by: Type.Enum(['contact', 'us']),
  at: Timestamp,
})

/** Written in a group: who wrote it. */
const GroupPart = Type.Object({ from: Type.String() })
/** The advertisement a conversation came from. */
const Referral = Type.Object({
  sourceType: Type.String(),
  sourceId: Nullable(Type.String()),
  url: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  body: Nullable(Type.String()),
  picture: Type.Optional(
    Type.String({ description: "Address of the picture of an advertisement, or of its video's picture." }),
  ),
  file: Type.Optional(Media),
  welcome: Type.Optional(Type.String({ description: 'The welcome text of the advertisement.' })),
  clickId: Type.Optional(Type.String({ description: "Meta's id of the click." })),
})
/** The quoted message. `text` and `direction` are null when it is not stored here. */
const QuotedMessage = Type.Object({
  wamid: Nullable(Type.String()),
  id: Nullable(Type.String()),
  type: Type.Optional(MessageType),
  text: Nullable(Type.String()),
  direction: Nullable(Direction),
  by: Type.Optional(Type.String({ description: 'The member, flow or key that wrote it.' })),
  picture: Type.Optional(Type.String({ description: 'Address of the picture that is quoted.' })),
})

export const Author = Type.Object({
  kind: Type.Enum(['person', 'bot', 'phone', 'api', 'bulk', 'metaAgent']),
  name: Nullable(Type.String()),
})

export const Message = Type.Object({
  id: Type.String(),
  wamid: Nullable(Type.String()),
  direction: MessageDirection,
  type: MessageType,
  text: Type.String({
    description: 'Body, caption, title of the choice or name of the thing; empty when there is none.',
  }),
  at: Timestamp,
  status: MessageStatus,
  error: Type.Optional(MessageFailure),
  /**
   * True while it is unknown whether WhatsApp accepted it. The next status settles it; it is never sent again
   * automatically.
   */
  unconfirmed: Type.Optional(Type.Boolean()),
  /** Only of a queued message that has to wait. It can be cancelled meanwhile. */
  waiting: Type.Optional(Waiting),
  author: Type.Optional(Author),
  clientKey: Type.Optional(
    Type.String({
      description:
        'The `clientKey` it was sent with, or the SHA-256 of its idempotency key: pairs an optimistic bubble.',
    }),
  ),
  replyTo: Type.Optional(QuotedMessage),
  media: Type.Optional(Media),
  reactions: Type.Optional(Type.Array(Reaction)),
  ...kindContent,
  referral: Type.Optional(Referral),
  group: Type.Optional(GroupPart),
  forwarded: Type.Optional(Type.Boolean()),
  forwardedOften: Type.Optional(Type.Boolean()),
  metaAgent: Type.Optional(
    Type.Boolean({
      description: "True: written while Meta's own agent had the chat; by it, or by the customer to it.",
    }),
  ),
  activity: Type.Optional(Activity),
  /** A note's author, and the mentioned people with their names of that time. */
  note: Type.Optional(Type.Object({ authorId: Type.String(), mentions: Type.Array(Named) })),
  editedAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(Timestamp),
})
export type Message = Static<typeof Message>

export const LastMessage = Type.Object({
  text: Type.String(),
  type: MessageType,
  at: Timestamp,
  direction: Direction,
  status: MessageStatus,
  error: Type.Optional(Type.String({ description: 'Code of why it failed.' })),
  /** The kind of a notice from WhatsApp. */
  news: Type.Optional(News),
})
export type LastMessage = Static<typeof LastMessage>

export const ChatQuery = Type.Object(
  {
    page: Type.Optional(PageNumber),
    before: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: the page that ends just before it.' }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: answers the page that begins just after it.' }),
    ),
    around: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: answers the page with this message in its middle.' }),
    ),
    since: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z$',
        description: 'ISO 8601 UTC: answers the page that begins with the first message at or after this time.',
      }),
    ),
  },
  { additionalProperties: false },
)
export const MessagePage = Type.Object({
  ...pageOf(Message).properties,
  hasNewer: Type.Optional(
    Type.Boolean({
      description: 'Of `after`, `around` and `since`: whether newer ones follow. `hasMore` is of older ones.',
    }),
  ),
})
export type MessagePage = Static<typeof MessagePage>
