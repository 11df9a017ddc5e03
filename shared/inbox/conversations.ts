import { type Static, Type } from 'typebox'
import { conversationsPerPage, maxPageSize } from '#shared/kernel/limits.ts'
import { Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { chatAddressForm } from '#shared/kernel/phone.ts'
import { OptOut } from '#shared/opt-outs/api.ts'
import { LastMessage } from './messages.ts'

/**
 * The address of a chat: digits of the number (E.164 without `+`, any spelling), or the business-scoped id of a
 * customer who hides the number (`AR.1349…`); or the id of one conversation, if a customer has several.
 */
export const ChatAddress = Type.String({
  minLength: 2,
  maxLength: 140,
  pattern: chatAddressForm.source,
  description: 'Digits, country code first; a business-scoped user id; or the id of a conversation.',
})
const controls = ['bot', 'human', 'needsHuman', 'metaAgent'] as const
const Control = Type.Enum(controls, {
  description: "`metaAgent`: Meta's own agent answers; a message of a person takes it over.",
})

const TagRef = Type.Object({
  id: Type.String(),
  label: Type.String(),
  hue: Type.Integer({ description: 'The colour: index of one of the eight hues of the palette.' }),
})

export const Conversation = Type.Object({
  id: Type.String(),
  phone: Type.String({ description: 'Digits, or the business-scoped id of a customer without a number.' }),
  name: Type.String({ description: 'Name, @username or international number, whichever is known first.' }),
  displayPhone: Type.String({ description: 'International format; empty when there is no number.' }),
  username: Nullable(Type.String()),
  lastMessage: Nullable(LastMessage),
  stale: Type.Optional(
    Type.Boolean({ description: 'The product API that keeps the conversation did not answer: as it was last known.' }),
  ),
  activityAt: Type.Optional(
    Type.String({
      description:
        'The time by which it is sorted in the list, ISO 8601 in UTC, if that is not the time of its last message.',
    }),
  ),
  bulkOnly: Type.Optional(
    Type.Literal(true, {
      description:
        'True: it has only bulk sends. Searches find it, but no list shows it until something else is written in it.',
    }),
  ),
  unread: Type.Integer({ minimum: 0 }),
  tags: Type.Array(TagRef),
  archived: Type.Boolean(),
  snoozedUntil: Type.Optional(
    Type.String({
      description: 'Time until which it is snoozed and not among the open conversations, ISO 8601 in UTC.',
    }),
  ),
  snooze: Type.Optional(
    Type.Object(
      {
        by: Type.Object({ id: Type.String(), name: Type.String() }),
        at: Timestamp,
        ifNoAnswer: Type.Optional(Type.Literal(true, { description: 'True: it waits for an answer of the customer.' })),
        returnedAt: Type.Optional(
          Type.String({ description: 'Time at which it came back, ISO 8601 in UTC, if nothing happened in it since.' }),
        ),
      },
      { description: 'Who snoozed it and when; of one that is snoozed, or that came back.' },
    ),
  ),
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
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The team it is assigned to; absent: none.' },
    ),
  ),
  number: Type.Optional(Type.String({ description: 'Our number, digits; absent when the organization has one only.' })),
  optOut: Type.Optional(OptOut),
  answerDueAt: Type.Optional(
    Type.String({
      description:
        'When the first response that the organization promises is due, ISO 8601 in UTC; it may have passed. Absent: the customer waits for none.',
    }),
  ),
  waitingSince: Type.Optional(
    Type.String({ description: 'Time of the first message of the customer that nobody answered, ISO 8601 in UTC.' }),
  ),
  group: Type.Optional(
    Type.Boolean({ description: 'True: a group of people; it is read here, and no flow answers in it.' }),
  ),
})
export type Conversation = Static<typeof Conversation>

/** Value of `assignee` for unassigned conversations. */
export const nobody = 'none'

export const searchMaxChars = 200
/** A conversation has all of them. */
export const maxTagsOfFilter = 20

export const ConversationQuery = Type.Object(
  {
    page: Type.Optional(PageNumber),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxPageSize, default: conversationsPerPage, description: 'Rows of a page.' }),
    ),
    search: Type.Optional(
      Type.String({ maxLength: searchMaxChars, description: 'Part of a name or number, or words of a message.' }),
    ),
    tag: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: maxTagsOfFilter,
        description: 'Ids of tags: with all of them.',
      }),
    ),
    archived: Type.Optional(
      Type.Boolean({ default: false, description: 'True: the archived ones instead of the others.' }),
    ),
    snoozed: Type.Optional(
      Type.Boolean({
        description: 'True: only snoozed conversations, next to come back first. Searches always find them.',
      }),
    ),
    number: Type.Optional(
      Type.String({ maxLength: 30, description: 'Only conversations with this number of yours, digits.' }),
    ),
    unread: Type.Optional(Type.Boolean({ description: 'True: only conversations with unread messages.' })),
    needsHuman: Type.Optional(Type.Boolean({ description: 'True: only conversations that wait for a person.' })),
    metaAgent: Type.Optional(Type.Boolean({ description: "True: only conversations that Meta's own agent answers." })),
    failed: Type.Optional(Type.Boolean({ description: 'True: only conversations whose last message failed.' })),
    waiting: Type.Optional(
      Type.Boolean({ description: 'True: only conversations whose customer waits for an answer, longest wait first.' }),
    ),
    overdue: Type.Optional(
      Type.Boolean({
        description:
          'True: only conversations whose promised first response is overdue, longest overdue first. None without a promise.',
      }),
    ),
    closing: Type.Optional(
      Type.Boolean({
        description: 'True: only conversations whose window closes within two hours, next to close first.',
      }),
    ),
    assignee: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `Only conversations of this member, by id; \`${nobody}\`: unassigned ones.`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type ConversationQuery = Static<typeof ConversationQuery>
export const ConversationPage = Type.Object({
  ...pageOf(Conversation).properties,
  stale: Type.Optional(
    Type.Boolean({
      description: 'The product API that keeps the conversations does not answer. These are the last ones it gave.',
    }),
  ),
})
export type ConversationPage = Static<typeof ConversationPage>

/** Conversations selected at once, to change all of them in several calls. */
export const maxSelectedChats = 5_000
const { page: _page, pageSize: _pageSize, ...filters } = ConversationQuery.properties
export const MatchingQuery = Type.Object(filters, { additionalProperties: false })
/** The fields of a conversation that the bar for changing many reads. */
const MatchingChat = Type.Pick(Conversation, [
  'id',
  'unread',
  'archived',
  'windowClosesAt',
  'control',
  'assignee',
  'team',
  'tags',
])
export type MatchingChat = Static<typeof MatchingChat>
export const MatchingChats = Type.Object({
  items: Type.Array(MatchingChat),
  hasMore: Type.Boolean({
    description: `True: more match, because there are more than ${maxSelectedChats}, or because a product API takes too long.`,
  }),
})

/** The maximum for a program that requests all. */
export const maxConversationsAtOnce = 5_000
const { search, tag, archived } = ConversationQuery.properties
export const AllConversationsQuery = Type.Object(
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
/** A short form for choosing a conversation from a list. */
const LeanConversation = Type.Object({
  id: Type.String(),
  phone: Type.String({ description: 'Digits, or the business-scoped id of a customer without a number.' }),
  number: Type.String({ description: 'The same, as events name it.' }),
  name: Type.String({ description: 'Name, @username or international number, whichever is known first.' }),
  tags: Type.Array(TagRef),
  lastAt: Nullable(Timestamp),
})
export const AllConversations = Type.Object(
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
        pageSize: maxConversationsAtOnce,
        hasMore: false,
      },
    ],
  },
)

/** Larger parts report `more`. */
export const maxOfListPart = 2000
export const ListPartCount = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxOfListPart }),
  more: Type.Boolean({ description: 'True: there may be more, because counting stopped.' }),
})
export type ListPartCount = Static<typeof ListPartCount>
/** Named parts of the list, of open conversations except `archived` and `snoozed`. */
export const ListPartCounts = Type.Object({
  mine: ListPartCount,
  unassigned: ListPartCount,
  needsHuman: ListPartCount,
  metaAgent: ListPartCount,
  unread: ListPartCount,
  overdue: Type.Optional(
    Type.Object(ListPartCount.properties, { description: 'Absent: the organization promises no first response.' }),
  ),
  closing: ListPartCount,
  waiting: ListPartCount,
  failed: ListPartCount,
  archived: ListPartCount,
  snoozed: ListPartCount,
})
export type ListPartCounts = Static<typeof ListPartCounts>
export type ListPart = keyof ListPartCounts

/** Larger counts of unread messages are not exact. */
export const maxCounted = 1000
