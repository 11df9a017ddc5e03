import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'
import { conversationsPerPage, maxPageSize, messagesPerPage, textMaxChars } from './limits.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from './list.ts'
import { actionLimits, actionNames } from './message-actions.ts'
import { OptOut, optOutReasonMaxChars } from './opt-outs.ts'
import {
  ButtonInput,
  ButtonValues,
  CardValues,
  HeaderAddress,
  Interactive,
  OutboundContact,
  OutboundLocation,
  outboundLimits,
  SentTemplate,
  TemplateValues,
} from './outbound.ts'
import { chatAddressForm } from './phone.ts'
import { anyFileMaxBytes, fileForms, fileNameMaxChars } from './sent-files.ts'

/**
 * The address of a chat: digits of the number (E.164 without `+`, any spelling), or the business-scoped id of a
 * customer who hides the number (`AR.1349…`); or the id of one conversation, where a customer has several.
 */
export const ChatAddress = Type.String({
  minLength: 2,
  maxLength: 140,
  pattern: chatAddressForm.source,
  description: 'Digits, country code first; a business-scoped user id; or the id of a conversation.',
})
const ChatParams = Type.Object({ phone: ChatAddress }, { additionalProperties: false })
/** Two may take the same conversation at once: only one does. */
const IfHeldBy = Type.Optional(
  Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
    description: 'Who had it when that was last seen; null: nobody. Somebody else has it by now: 409, nothing changes.',
  }),
)
const Assignment = Type.Object(
  {
    ifHeldBy: IfHeldBy,
    userId: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])),
    teamId: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()])),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** `human` without `assigneeId`: whoever has it already, else the person who asks; with a key nobody in particular. */
const Owner = Type.Object(
  {
    owner: Type.Enum(['bot', 'human'], { description: '`bot`: a flow may go on, and nobody has it any more.' }),
    ifHeldBy: IfHeldBy,
    assigneeId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description:
          'Only of `human`: a member who may answer customers; null: it stays whose it is, and only the bot is silent.',
      }),
    ),
  },
  { additionalProperties: false },
)

const ChatTagParams = Type.Object(
  { phone: ChatAddress, tagId: Type.String({ minLength: 1, maxLength: 64 }) },
  { additionalProperties: false },
)

const messageStatuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const
export const MessageStatus = Type.Enum(messageStatuses)
export type MessageStatus = (typeof messageStatuses)[number]

const directions = ['in', 'out'] as const
export const Direction = Type.Enum(directions)
export type Direction = (typeof directions)[number]

/** `internal`: the team's own, which never leaves for WhatsApp: what was done to the conversation, and notes. */
export const MessageDirection = Type.Enum([...directions, 'internal'])
export type MessageDirection = Static<typeof MessageDirection>

/**
 * Every kind a thread can show. `unsupported` is what Meta could not pass on, `unknown` what we do not know yet;
 * `reaction` and `revoked` stand in rows only: the last that was done is a reaction, or a message that was taken back;
 * `activity` and `note` are internal: what the team did to the conversation, and what it wrote to itself.
 */
export const messageTypes = [
  'text',
  'image',
  'video',
  'audio',
  'voice',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'choice',
  'form',
  'order',
  'template',
  'welcome',
  'system',
  'call',
  'reaction',
  'revoked',
  'unsupported',
  'unknown',
  'activity',
  'note',
] as const
export const MessageType = Type.Enum(messageTypes)
export type MessageType = (typeof messageTypes)[number]

const controls = ['bot', 'human', 'needsHuman'] as const
const Control = Type.Enum(controls)

/** Why it failed: our stable code (the vendor's number where there is one) and a sentence in the caller's language. */
export const MessageFailure = Type.Object({ code: Type.String(), message: Type.String() })
export type MessageFailure = Static<typeof MessageFailure>

/**
 * Why a queued message has not left yet. `pace`: WhatsApp takes no more for this customer just now · `limit`: nor from
 * this number · `trouble`: WhatsApp could not be reached, or failed · `order`: an earlier message of the chat waits.
 */
const waitingReasons = ['pace', 'limit', 'trouble', 'order'] as const
export type WaitingReason = (typeof waitingReasons)[number]
export const Waiting = Type.Object({
  reason: Type.Enum(waitingReasons),
  until: Type.String({ description: 'When it is tried next, ISO 8601 in UTC. Once that has passed it is leaving.' }),
})
export type Waiting = Static<typeof Waiting>

/** Where a file of a message is served to members. `id` is the file's own. */
export const mediaPath = (id: string): string => `/api/whatsapp/media/${id}`

const MediaState = Type.Enum(['pending', 'stored', 'failed'])
export const Media = Type.Object({
  url: Type.String({ description: 'Address on this site, for members only; usable once `state` is `stored`.' }),
  mime: Type.String(),
  name: Nullable(Type.String()),
  size: Nullable(Type.Integer({ description: 'Bytes' })),
  state: MediaState,
  width: Type.Optional(Type.Integer({ description: 'Of a picture, in pixels, where the file says so.' })),
  height: Type.Optional(Type.Integer({ description: 'Of a picture, in pixels, where the file says so.' })),
})
export type Media = Static<typeof Media>

const Reaction = Type.Object({
  emoji: Type.String(),
  by: Type.Enum(['contact', 'us']),
  at: Timestamp,
})

const Location = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
})
const ContactCard = Type.Object({
  name: Type.String(),
  phones: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
  company: Type.Optional(Type.String()),
  title: Type.Optional(Type.String({ description: 'What they do there.' })),
  addresses: Type.Optional(Type.Array(Type.String({ description: 'In one line.' }))),
  urls: Type.Optional(Type.Array(Type.String({ description: 'Of the web.' }))),
  birthday: Type.Optional(Type.String({ description: '`2026-11-25`, or as it came.' })),
})
/** A tap on a button or a row, or the answer to a permission question. */
const Choice = Type.Object({
  kind: Type.Enum(['button', 'list', 'quickReply', 'permission']),
  id: Nullable(Type.String()),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  until: Type.Optional(Type.String({ description: 'Of a permission: until when it holds, ISO 8601 in UTC.' })),
})
/** What the customer filled in a WhatsApp form; values as text, in the order they came. */
const FormAnswer = Type.Object({
  name: Type.String(),
  body: Type.Optional(Type.String({ description: 'What WhatsApp shows of it.' })),
  fields: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
})
const Order = Type.Object({
  catalogId: Nullable(Type.String()),
  note: Type.Optional(Type.String()),
  items: Type.Array(
    Type.Object({
      sku: Type.String(),
      quantity: Type.Number(),
      price: Type.Optional(Type.Number({ description: 'Of one; absent where none came.' })),
      currency: Type.String(),
    }),
  ),
})
/**
 * What WhatsApp tells of a customer. `number`: they write from another number · `userId`: they have another
 * business-scoped id · `identity`: they installed WhatsApp anew, or on another phone · `other`: anything else.
 */
const newsKinds = ['number', 'userId', 'identity', 'other'] as const
const News = Type.Object({
  kind: Type.Enum(newsKinds),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
})
/** A call that is over. */
const Call = Type.Object({
  outcome: Type.Enum(['answered', 'missed']),
  seconds: Type.Optional(Type.Integer({ minimum: 0, description: 'How long one talked.' })),
})
/** Said in a group: who of it wrote. */
const GroupPart = Type.Object({ from: Type.String() })
/** The advertisement a conversation came from. */
const Referral = Type.Object({
  sourceType: Type.String(),
  sourceId: Nullable(Type.String()),
  url: Nullable(Type.String()),
  headline: Nullable(Type.String()),
  body: Nullable(Type.String()),
  picture: Type.Optional(
    Type.String({ description: 'Where the picture of an advertisement is, or that of its film.' }),
  ),
  file: Type.Optional(Media),
  welcome: Type.Optional(Type.String({ description: 'What the advertisement said before they wrote.' })),
  clickId: Type.Optional(Type.String({ description: 'What Meta knows the click by.' })),
})
/** What the customer quoted; `text` and `direction` are null when the quoted message is not ours to show. */
const QuotedMessage = Type.Object({
  wamid: Nullable(Type.String()),
  id: Nullable(Type.String()),
  type: Type.Optional(MessageType),
  text: Nullable(Type.String()),
  direction: Nullable(Direction),
  picture: Type.Optional(Type.String({ description: 'Address of the picture that is quoted.' })),
})

const Author = Type.Object({
  kind: Type.Enum(['person', 'bot', 'phone', 'api', 'bulk']),
  name: Nullable(Type.String()),
})

const activityKinds = [
  'assigned',
  'unassigned',
  'takenOver',
  'givenBack',
  'handedOver',
  'botStarted',
  'botEnded',
  'tagged',
  'untagged',
  'archived',
  'unarchived',
] as const
export type ActivityKind = (typeof activityKinds)[number]
const actorKinds = ['person', 'key', 'bot', 'customer', 'phone', 'vendor', 'upstream', 'system'] as const
const Named = Type.Object({ id: Type.String(), name: Nullable(Type.String()) })

/**
 * What was done to a conversation, and by whom; everybody is called as they were called then. `assignee` or `team`: to
 * whom it was given, or who had it; `tag`: which one.
 */
export const Activity = Type.Object({
  kind: Type.Enum(activityKinds),
  by: Type.Object({
    kind: Type.Enum(actorKinds),
    id: Nullable(Type.String()),
    name: Nullable(Type.String()),
  }),
  assignee: Type.Optional(Named),
  team: Type.Optional(Named),
  tag: Type.Optional(Type.Object({ id: Type.String(), label: Type.String() })),
})
export type Activity = Static<typeof Activity>

/** What Meta does not pass on, as far as it tells. */
const withheldKinds = ['edit', 'poll', 'viewOnce', 'file'] as const

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
  /** True while nobody knows whether WhatsApp took it; settled by the next status, never sent again by itself. */
  unconfirmed: Type.Optional(Type.Boolean()),
  /** Only of a queued message that has to wait; until then it may be cancelled. */
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
  location: Type.Optional(Location),
  contacts: Type.Optional(Type.Array(ContactCard)),
  interactive: Type.Optional(Interactive),
  template: Type.Optional(SentTemplate),
  choice: Type.Optional(Choice),
  form: Type.Optional(FormAnswer),
  order: Type.Optional(Order),
  referral: Type.Optional(Referral),
  news: Type.Optional(News),
  call: Type.Optional(Call),
  group: Type.Optional(GroupPart),
  forwarded: Type.Optional(Type.Boolean()),
  forwardedOften: Type.Optional(Type.Boolean()),
  withheld: Type.Optional(
    Type.Enum(withheldKinds, { description: 'Of what Meta could not pass on: what it was, where it said so.' }),
  ),
  activity: Type.Optional(Activity),
  /** Of a note: whose it is, and who is mentioned in it, as they were called then. */
  note: Type.Optional(Type.Object({ authorId: Type.String(), mentions: Type.Array(Named) })),
  editedAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(Timestamp),
  /** The vendor's JSON of a kind we do not know, for the card's details. */
  raw: Type.Optional(Type.String()),
})
export type Message = Static<typeof Message>

export const LastMessage = Type.Object({
  text: Type.String(),
  type: MessageType,
  at: Timestamp,
  direction: Direction,
  status: MessageStatus,
})
export type LastMessage = Static<typeof LastMessage>

const TagRef = Type.Object({
  id: Type.String(),
  label: Type.String(),
  hue: Type.Integer({ description: 'Its colour: the place of one of the eight hues of the palette.' }),
})

export const Conversation = Type.Object({
  id: Type.String(),
  phone: Type.String({ description: 'Digits, or the business-scoped id of a customer without a number.' }),
  name: Type.String({ description: 'Name, @username or international number, whichever is known first.' }),
  displayPhone: Type.String({ description: 'International format; empty when there is no number.' }),
  username: Nullable(Type.String()),
  lastMessage: Nullable(LastMessage),
  unread: Type.Integer({ minimum: 0 }),
  tags: Type.Array(TagRef),
  archived: Type.Boolean(),
  windowClosesAt: Nullable(Timestamp),
  freeUntil: Type.Optional(
    Type.String({
      description:
        'They came by an advertisement: until then, ISO 8601 in UTC, Meta takes nothing for what is sent. Free text still takes an open window.',
    }),
  ),
  control: Control,
  assignee: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  team: Type.Optional(
    Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Whose it is; absent: no team’s.' }),
  ),
  number: Type.Optional(Type.String({ description: 'Our number, digits; absent when the organization has one only.' })),
  optOut: Type.Optional(OptOut),
})
export type Conversation = Static<typeof Conversation>

/** What `assignee` says for conversations that nobody has. */
export const nobody = 'none'

export const searchMaxChars = 200
/** A conversation has all of them. */
export const maxTagsOfFilter = 20

const ConversationQuery = Type.Object(
  {
    page: Type.Optional(PageNumber),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: conversationsPerPage })),
    search: Type.Optional(Type.String({ maxLength: searchMaxChars })),
    tag: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: maxTagsOfFilter })),
    archived: Type.Optional(Type.Boolean({ default: false })),
    number: Type.Optional(Type.String({ maxLength: 30, description: 'Those of one of our numbers, digits.' })),
    unread: Type.Optional(Type.Boolean({ description: 'True: only those with something unread.' })),
    needsHuman: Type.Optional(Type.Boolean({ description: 'True: only those that wait for a person.' })),
    failed: Type.Optional(Type.Boolean({ description: 'True: only those whose last message was not sent.' })),
    closing: Type.Optional(
      Type.Boolean({ description: 'True: only those whose window closes within two hours, the next to close first.' }),
    ),
    assignee: Type.Optional(
      Type.String({ maxLength: 64, description: `Those of one person, by id; \`${nobody}\`: those nobody has.` }),
    ),
  },
  { additionalProperties: false },
)
export const ConversationPage = pageOf(Conversation)
export type ConversationPage = Static<typeof ConversationPage>

/** A program that wants them all gets so many. */
export const mostConversationsAtOnce = 5_000
const { search, tag, archived } = ConversationQuery.properties
const AllConversationsQuery = Type.Object(
  {
    search,
    tag,
    archived,
    optional: Type.Optional(
      Type.String({ maxLength: 200, description: 'Taken from programs that send it; it changes nothing.' }),
    ),
  },
  { additionalProperties: false },
)
/** As much of a conversation as it takes to choose it from a list. */
const LeanConversation = Type.Object({
  id: Type.String(),
  phone: Type.String({ description: 'Digits, or the business-scoped id of a customer without a number.' }),
  number: Type.String({ description: 'The same, as events name it.' }),
  name: Type.String({ description: 'Name, @username or international number, whichever is known first.' }),
  tags: Type.Array(TagRef),
  lastAt: Nullable(Timestamp),
})
const AllConversations = Type.Object(
  {
    ...pageOf(LeanConversation).properties,
    notice: Type.Optional(
      Type.String({ description: 'Only where there are more than these: says so, in the language of the caller.' }),
    ),
  },
  {
    examples: [
      {
        items: [
          {
            id: '0mbh3k2v9x000000000000q1',
            phone: '5491155550101',
            number: '5491155550101',
            name: 'Lucía Méndez',
            tags: [{ id: '0mbh3k2v9x000000000000t7', label: 'Mayorista', hue: 3 }],
            lastAt: '2026-11-20T13:05:00.000Z',
          },
        ],
        page: 1,
        pageSize: mostConversationsAtOnce,
        hasMore: false,
      },
    ],
  },
)

const ChatQuery = Type.Object(
  {
    page: Type.Optional(PageNumber),
    before: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: the page that ends just before it.' }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: the page that begins just after it.' }),
    ),
    around: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id: the page in whose middle it stands.' }),
    ),
    since: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z$',
        description: 'The page that begins with the first message at or after this moment, ISO 8601 UTC.',
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
export { messagesPerPage }

/**
 * What can be sent. `phone` is our number (absent: the one the customer wrote to last), `numberTel` the customer's.
 * `type` is checked by the service so that an unknown one is refused with a sentence of its own; each type needs its own
 * fields: `text` `message` · `button` `button` and `message` · `location` `location` · `contacts` `contacts` ·
 * `actionRecado` `action`, `labelRecado`, `data` and `message` ·
 * `template` `template`, `phones` (the one of `numberTel`) and `bodyExample`; it alone needs no open window ·
 * `file` `file` and `name`, as a form (`multipart/form-data`), with `message` as its caption.
 */
export const SendMessage = Type.Object(
  {
    type: Type.Optional(Type.String({ maxLength: 40, default: 'text' })),
    message: Type.Optional(Type.String({ minLength: 1, maxLength: textMaxChars })),
    file: Type.Optional(
      Type.String({ maxLength: 200, description: 'Its bytes, as a part of a form (`multipart/form-data`) only.' }),
    ),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: fileNameMaxChars, description: "The file's; else that of its part." }),
    ),
    mime_type: Type.Optional(Type.String({ maxLength: 200, description: 'Held against what is in the file.' })),
    size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes, held against what came.' })),
    as: Type.Optional(
      Type.Enum(fileForms, {
        description: 'Absent: as what it is. `voice` takes Ogg/Opus in mono, `sticker` WebP of 512 × 512.',
      }),
    ),
    button: Type.Optional(ButtonInput),
    action: Type.Optional(
      Type.String({ maxLength: 40, description: `What a tap does: ${actionNames.join(', ')}. Once for each message.` }),
    ),
    labelRecado: Type.Optional(
      Type.String({ minLength: 1, maxLength: actionLimits.label, pattern: '\\S', description: "The button's words." }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Of `open_url` its `url` (https), of `confirm` its `key`, of `add_tag` a `tagId`, of `start_flow` a `flowId`, of `handoff` a `teamId` or nothing.',
      }),
    ),
    location: Type.Optional(OutboundLocation),
    template: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Its id, or its name.' })),
    language: Type.Optional(Type.String({ maxLength: 20, description: "Meta's code, for a name in several." })),
    phones: Type.Optional(Type.Array(ChatAddress, { minItems: 1, maxItems: 1 })),
    bodyExample: Type.Optional(TemplateValues),
    headerExample: Type.Optional(TemplateValues),
    buttonExample: Type.Optional(ButtonValues),
    cardExample: Type.Optional(CardValues),
    image: Type.Optional(HeaderAddress),
    contacts: Type.Optional(Type.Array(OutboundContact, { minItems: 1, maxItems: outboundLimits.contacts })),
    numberTel: ChatAddress,
    phone: Type.Optional(Type.String({ maxLength: 30 })),
    isHuman: Type.Optional(Type.Boolean()),
    replyToMessageId: Type.Optional(
      Type.Union([Type.String({ maxLength: 256, description: 'Our id or the wamid.' }), Type.Null()]),
    ),
    clientKey: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{8,64}$',
        description: 'Chosen by the sender: the same key of the same person is one message, however often it is sent.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SendMessage = Static<typeof SendMessage>

export const Done = Type.Object({ success: Type.Boolean() })

/** The words of a search in their place. */
const SnippetPart = Type.Object({
  text: Type.String(),
  found: Type.Boolean({ description: 'Whether it is one of the words that were asked for.' }),
})
export const FoundMessage = Type.Object({
  id: Type.String(),
  direction: MessageDirection,
  type: MessageType,
  at: Timestamp,
  author: Type.Optional(Author),
  snippet: Type.Array(SnippetPart, { description: 'The text around the first found word, and the name of the file.' }),
  conversation: Conversation,
})
export type FoundMessage = Static<typeof FoundMessage>
export const FoundPage = Type.Object({
  ...pageOf(FoundMessage).properties,
  conversations: Type.Array(Conversation, {
    description: 'Whose name, username or number matches, last active first; of the first page only.',
  }),
  partial: Type.Optional(
    Type.Boolean({ description: 'True: only the newest could be looked at; words or a name find older ones.' }),
  ),
})
export type FoundPage = Static<typeof FoundPage>
/** Fewer letters stand for too much of what was ever said: only names and numbers are looked for. */
export const searchTextMinChars = 3
const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: searchMaxChars,
      description:
        'Words, names, or a number as it is typed. Operators narrow it, values with spaces in quotes: `from:` customer · `tag:` · `agent:` name or `bot` · `type:` photo, document … · `status:` failed, archived … · `before:`, `after:` 2026-10-01; also `de:`, `etiqueta:`, `agente:`, `tipo:`, `estado:`, `antes:`, `después:`.',
    }),
    before: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id, the last of a page: the page behind it.' }),
    ),
    phone: Type.Optional(ChatAddress),
  },
  { additionalProperties: false },
)

/** So many conversations are changed by one call. */
export const maxChatsAtOnce = 100
const ChatsChange = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: maxChatsAtOnce,
      description: 'Ids of conversations.',
    }),
    archived: Type.Optional(Type.Boolean({ description: 'False: brings them back, to whoever had them.' })),
    read: Type.Optional(Type.Boolean({ description: 'False: marks them as unread.' })),
    tagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to put on.' })),
    untagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to take off.' })),
    ...Assignment.properties,
  },
  { additionalProperties: false },
)
export type ChatsChange = Static<typeof ChatsChange>

/** A lane of the list that has more says so. */
export const mostOfLane = 99
const LaneCount = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: mostOfLane }),
  more: Type.Boolean({ description: 'True: that many at least; no more were looked at.' }),
})
export type LaneCount = Static<typeof LaneCount>
/** Parts of the list that have a name; all but the archived are of open conversations. */
const LaneCounts = Type.Object({
  mine: LaneCount,
  unassigned: LaneCount,
  needsHuman: LaneCount,
  unread: LaneCount,
  closing: LaneCount,
  failed: LaneCount,
  archived: LaneCount,
})
export type LaneCounts = Static<typeof LaneCounts>
export type Lane = keyof LaneCounts

/** Whoever has more unread needs no exact figure. */
export const mostCounted = 1000

export const inboxApi = {
  /** One page of conversations, latest activity first. */
  listConversations: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations',
    access: 'chat:read',
    sameFor: 'scope',
    exceptWith: ['closing'],
    query: ConversationQuery,
    reply: ConversationPage,
    summary: 'Conversations, latest activity first.',
  }),
  listAllConversations: endpoint({
    method: 'GET',
    path: '/whatsapp/all-conversations',
    access: 'chat:read',
    sameFor: 'scope',
    query: AllConversationsQuery,
    reply: AllConversations,
    summary: `Conversations to choose from, in one answer: the ${mostConversationsAtOnce} with the latest activity.`,
  }),
  countUnread: endpoint({
    method: 'GET',
    path: '/whatsapp/unread',
    access: 'chat:read',
    sameFor: 'scope',
    reply: Type.Object({
      conversations: Type.Integer({ maximum: mostCounted, description: `Counted up to ${mostCounted}.` }),
    }),
    summary: 'How many open conversations have something unread.',
  }),
  countLanes: endpoint({
    method: 'GET',
    path: '/whatsapp/lanes',
    access: 'chat:read',
    query: Type.Object(
      { number: Type.Optional(Type.String({ maxLength: 30, description: 'Of one of our numbers, digits.' })) },
      { additionalProperties: false },
    ),
    reply: LaneCounts,
    summary: `How many conversations each part of the list has, counted up to ${mostOfLane}.`,
  }),
  changeChats: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/changes',
    access: 'chat:reply',
    body: ChatsChange,
    reply: Type.Object({
      items: Type.Array(Conversation),
      missing: Type.Array(Type.String(), { description: 'Ids that are not there; the others were changed.' }),
    }),
    refuses: [404, 409],
    summary: `Archives, reads, tags or assigns up to ${maxChatsAtOnce} conversations at once; what stands so already stays.`,
  }),
  getConversation: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone',
    access: 'chat:read',
    sameFor: 'scope',
    params: ChatParams,
    reply: Conversation,
    summary: 'One conversation by number or business-scoped id.',
  }),
  getChatName: endpoint({
    method: 'GET',
    path: '/whatsapp/chat-name/:phone',
    access: 'chat:read',
    sameFor: 'scope',
    params: ChatParams,
    reply: Type.Object({ phone: Type.String(), name: Type.String() }),
    summary: 'The name of a chat.',
  }),
  /** Pages from the newest backwards, oldest first within a page. */
  listMessages: endpoint({
    method: 'GET',
    path: '/whatsapp/chats/:phone',
    access: 'chat:read',
    sameFor: 'scope',
    params: ChatParams,
    query: ChatQuery,
    reply: MessagePage,
    summary: 'Messages of a chat, from the newest page backwards.',
  }),
  searchMessages: endpoint({
    method: 'GET',
    path: '/whatsapp/search',
    access: 'chat:read',
    sameFor: 'scope',
    query: SearchQuery,
    reply: FoundPage,
    refuses: [404],
    summary: 'Everything ever said: messages with the words, what came last first, and conversations called so.',
  }),
  sendMessage: endpoint({
    method: 'POST',
    path: '/whatsapp/messages',
    access: 'chat:reply',
    body: SendMessage,
    example: { body: { type: 'text', message: 'Tu pedido está en camino', numberTel: '5491155550100' } },
    fileLimit: anyFileMaxBytes,
    reply: Message,
    status: 202,
    idempotent: true,
    refuses: [404, 409, 503],
    summary: 'Stores a message and sends it; its fate follows by event.',
  }),
  reactToMessage: endpoint({
    method: 'POST',
    path: '/whatsapp/messages/:id/reaction',
    access: 'chat:reply',
    params: Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
    body: Type.Object(
      {
        emoji: Type.Union([
          Type.String({ minLength: 1, maxLength: 40, description: 'One; null takes it back.' }),
          Type.Null(),
        ]),
      },
      { additionalProperties: false },
    ),
    reply: Message,
    status: 202,
    refuses: [404, 409],
    summary: 'Reacts to a message with an emoji, or takes that back. The same again changes nothing.',
  }),
  retryMessage: endpoint({
    method: 'POST',
    path: '/whatsapp/messages/:id/retry',
    access: 'chat:reply',
    params: Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
    reply: Message,
    status: 202,
    refuses: [409],
    summary: 'Sends a failed message again as a new attempt.',
  }),
  cancelMessage: endpoint({
    method: 'POST',
    path: '/whatsapp/messages/:id/cancel',
    access: 'chat:reply',
    params: Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
    reply: Message,
    refuses: [404, 409],
    summary: 'Cancels a message that waits to be sent; it stays in the chat as failed, with its text.',
  }),
  archiveChat: endpoint({
    method: 'POST',
    path: '/whatsapp/chat/archive',
    access: 'chat:reply',
    body: Type.Object(
      { phoneNumber: ChatAddress, archived: Type.Optional(Type.Boolean({ default: true })) },
      { additionalProperties: false },
    ),
    reply: Conversation,
    refuses: [404],
    summary: 'Archives a chat, or brings it back with `archived: false`.',
  }),
  assignChat: endpoint({
    method: 'PUT',
    path: '/whatsapp/conversations/:phone/assignee',
    access: 'chat:reply',
    params: ChatParams,
    body: Assignment,
    reply: Conversation,
    refuses: [404, 409],
    summary:
      "Says whose a chat is: a person's, a team's, both; null: nobody's. What is left out stays. A person has it.",
  }),
  controlChat: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/control',
    access: 'chat:reply',
    params: ChatParams,
    body: Owner,
    reply: Conversation,
    refuses: [404, 409],
    summary: 'Gives a chat to a person, which ends what a flow does in it, or back to the bot. Which has it keeps it.',
  }),
  tagChat: endpoint({
    method: 'PUT',
    path: '/whatsapp/chats/:phone/tags/:tagId',
    access: 'chat:reply',
    params: ChatTagParams,
    reply: Conversation,
    refuses: [404, 409],
    summary: 'Puts a tag on the contact of a chat. The same again changes nothing.',
  }),
  untagChat: endpoint({
    method: 'DELETE',
    path: '/whatsapp/chats/:phone/tags/:tagId',
    access: 'chat:reply',
    params: ChatTagParams,
    reply: Conversation,
    refuses: [404],
    summary: 'Takes a tag off the contact of a chat. The same again changes nothing.',
  }),
  optOutChat: endpoint({
    method: 'PUT',
    path: '/whatsapp/chats/:phone/opt-out',
    access: 'chat:reply',
    params: ChatParams,
    body: Type.Object(
      {
        reason: Type.Optional(
          Type.String({ maxLength: optOutReasonMaxChars, description: 'In one line, for colleagues.' }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Conversation,
    refuses: [404],
    summary: 'Notes that the contact of a chat wants no marketing. Of one that is noted already nothing changes.',
  }),
  optInChat: endpoint({
    method: 'DELETE',
    path: '/whatsapp/chats/:phone/opt-out',
    access: 'chat:reply',
    params: ChatParams,
    reply: Conversation,
    refuses: [404, 409],
    summary: 'Takes that back. What they chose in WhatsApp only they can take back there.',
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/whatsapp/chats/:phone/read',
    access: 'chat:reply',
    params: ChatParams,
    reply: Conversation,
    summary: 'Clears the unread count and sends the read receipt.',
  }),
  markUnread: endpoint({
    method: 'POST',
    path: '/whatsapp/chats/:phone/unread',
    access: 'chat:reply',
    params: ChatParams,
    reply: Conversation,
    summary: 'Marks a chat as unread for the whole organization.',
  }),
  showTyping: endpoint({
    method: 'POST',
    path: '/whatsapp/chats/:phone/typing',
    access: 'chat:reply',
    params: ChatParams,
    reply: Done,
    summary: 'Shows the customer that somebody is writing, for at most 25 s.',
  }),
} as const
