import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { noteMaxChars } from '#shared/kernel/limits.ts'
import { Done } from '#shared/kernel/list.ts'
import { anyFileMaxBytes, sendBodyLimitBytes } from '#shared/media/sent-files.ts'
import { optOutReasonMaxChars } from '#shared/opt-outs/api.ts'
import {
  AllConversations,
  AllConversationsQuery,
  ChatAddress,
  Conversation,
  ConversationPage,
  ConversationQuery,
  LaneCounts,
  MatchingChats,
  MatchingQuery,
  maxConversationsAtOnce,
  maxCounted,
  maxOfLane,
  maxSelectedChats,
} from './conversations.ts'
import { FoundPage, SearchQuery } from './message-search.ts'
import { ChatQuery, Message, MessagePage } from './messages.ts'
import { SendMessage } from './send-message.ts'
import { SnoozeUntil } from './snooze.ts'

const ChatParams = Type.Object({ phone: ChatAddress }, { additionalProperties: false })
/** Prevents two members from taking the same conversation at once. */
const IfHeldBy = Type.Optional(
  Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
    description: 'Who had it when that was last seen; null: nobody. Somebody else has it by now: 409, nothing changes.',
  }),
)
const Assignment = Type.Object(
  {
    ifHeldBy: IfHeldBy,
    userId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: 'Id of a member who may answer customers; null: nobody.',
      }),
    ),
    teamId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: 'Id of a team; null: none.',
      }),
    ),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: noteMaxChars,
        pattern: '\\S',
        description: 'An internal note in the chat, for whoever gets it.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** `human` without `assigneeId`: the current assignee, otherwise the caller; with a key, unassigned. */
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
  { phone: ChatAddress, tagId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the tag.' }) },
  { additionalProperties: false },
)

/** Conversations changed in one call. */
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
    snoozedUntil: Type.Optional(
      Type.Union([SnoozeUntil, Type.Null()], {
        description: 'Snoozes them until then, and none if one is archived; null: brings them back.',
      }),
    ),
    tagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to put on.' })),
    untagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to take off.' })),
    ...Assignment.properties,
    control: Type.Optional(
      Type.Enum(['bot', 'needsHuman'], {
        description: 'Of those that nobody has any more: a flow may go on, or they wait for a person again.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ChatsChange = Static<typeof ChatsChange>

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
  listMatching: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/matching',
    access: 'chat:reply',
    query: MatchingQuery,
    reply: MatchingChats,
    summary: `The conversations that the same filters list, up to ${maxSelectedChats} and with little about each, to change all of them.`,
  }),
  listAllConversations: endpoint({
    method: 'GET',
    path: '/whatsapp/all-conversations',
    access: 'chat:read',
    sameFor: 'scope',
    query: AllConversationsQuery,
    reply: AllConversations,
    summary: `The ${maxConversationsAtOnce} conversations with the latest activity in one answer, to choose from.`,
  }),
  countUnread: endpoint({
    method: 'GET',
    path: '/whatsapp/unread',
    access: 'chat:read',
    sameFor: 'scope',
    reply: Type.Object({
      conversations: Type.Integer({ maximum: maxCounted, description: `Counted up to ${maxCounted}.` }),
    }),
    summary: 'How many open conversations have unread messages.',
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
    summary: `How many conversations are in each part of the list, counted up to ${maxOfLane}.`,
  }),
  changeChats: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/changes',
    access: 'chat:reply',
    body: ChatsChange,
    reply: Type.Object({
      items: Type.Array(Conversation),
      missing: Type.Array(Type.String(), { description: 'Ids that are not there; the others were changed.' }),
      failed: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Ids that the product API did not archive; the others were changed.',
        }),
      ),
    }),
    refuses: [404, 409],
    summary: `Archives, snoozes, marks as read, tags or assigns up to ${maxChatsAtOnce} conversations at once.`,
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
  /** Pages go backwards from the newest message. Within a page, oldest first. */
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
    summary: 'Searches all messages for words, newest first, and conversations by name.',
  }),
  sendMessage: endpoint({
    method: 'POST',
    path: '/whatsapp/messages',
    access: 'chat:reply',
    body: SendMessage,
    example: { body: { type: 'text', message: 'Tu pedido está en camino', numberTel: '5491155550100' } },
    fileLimit: anyFileMaxBytes,
    bodyLimit: sendBodyLimitBytes,
    reply: Message,
    status: 202,
    idempotent: true,
    refuses: [404, 409, 503],
    summary: 'Sends a message. The answer is the stored message; delivery follows as events.',
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
    summary: 'Reacts to a message with an emoji, or removes the reaction. Repeating it changes nothing.',
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
    summary: 'Cancels a queued message. It stays in the chat as failed.',
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
      'Assigns a chat to a person, a team, or both; null: to nobody. What is left out stays. People have control of an assigned chat.',
  }),
  controlChat: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/control',
    access: 'chat:reply',
    params: ChatParams,
    body: Owner,
    reply: Conversation,
    refuses: [404, 409],
    summary: 'Hands a chat to people, which ends a running flow, or back to the bot.',
  }),
  tagChat: endpoint({
    method: 'PUT',
    path: '/whatsapp/chats/:phone/tags/:tagId',
    access: 'chat:reply',
    params: ChatTagParams,
    reply: Conversation,
    refuses: [404, 409],
    summary: 'Adds a tag to the contact of a chat. Repeating it changes nothing.',
  }),
  untagChat: endpoint({
    method: 'DELETE',
    path: '/whatsapp/chats/:phone/tags/:tagId',
    access: 'chat:reply',
    params: ChatTagParams,
    reply: Conversation,
    refuses: [404],
    summary: 'Removes a tag from the contact of a chat. Repeating it changes nothing.',
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
    summary: 'Records that the contact of a chat wants no marketing. Repeating it changes nothing.',
  }),
  optInChat: endpoint({
    method: 'DELETE',
    path: '/whatsapp/chats/:phone/opt-out',
    access: 'chat:reply',
    params: ChatParams,
    reply: Conversation,
    refuses: [404, 409],
    summary:
      'Removes the opt-out of a contact. An opt-out in WhatsApp itself can only be removed there, by the customer.',
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
    summary: 'Shows the customer a typing indicator, for at most 25 s.',
  }),
} as const
