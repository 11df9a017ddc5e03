import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'
import { ChatAddress } from './conversations.ts'
import { MessageType } from './message-kinds.ts'
import { Author, MessageDirection } from './messages.ts'

/**
 * Drafts per person in an organization, colleagues' drafts listed, drafts per chat, and days until an unchanged draft
 * is deleted.
 */
export const draftLimits = { ofPerson: 200, ofColleagues: 500, ofChat: 20, days: 90 } as const
/** More than a message may have, because people write first and shorten later. */
export const draftMaxChars = 10_000

/** Quoted texts are cut to this many UTF-16 code units. */
export const draftQuoteChars = 300

export const DraftQuote = Type.Object(
  {
    id: Type.String(),
    wamid: Type.String(),
    direction: MessageDirection,
    type: MessageType,
    text: Type.String({ description: `Its first ${draftQuoteChars} characters.` }),
    author: Type.Optional(Author),
  },
  { description: 'The message that the draft answers. Absent: none, or it was deleted.' },
)
export type DraftQuote = Static<typeof DraftQuote>

export const ChatDraft = Type.Object({
  person: Type.Object({ id: Type.String(), name: Type.String() }),
  text: Type.String(),
  replyTo: Type.Optional(DraftQuote),
  at: Type.String({ description: 'When it was last written on, ISO 8601 UTC.' }),
  own: Type.Boolean({ description: 'The caller’s.' }),
})
export type ChatDraft = Static<typeof ChatDraft>

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })
const Text = Type.String({ maxLength: draftMaxChars })

/** Unsent texts: each person's own on all devices, visible to people who see the chat. */
export const draftsApi = {
  listDrafts: endpoint({
    method: 'GET',
    path: '/whatsapp/team-drafts',
    access: 'chat:read',
    peopleOnly: true,
    reply: Type.Object({
      own: Type.Array(Type.Object({ phone: ChatAddress, text: Type.String(), replyTo: Type.Optional(DraftQuote) })),
      others: Type.Array(
        Type.Object({ phone: ChatAddress, person: Type.Object({ id: Type.String(), name: Type.String() }) }),
      ),
    }),
    summary: `The caller's unsent drafts, and the chats in which colleagues have one; the ${draftLimits.ofColleagues} newest. \`phone\` identifies the chat.`,
  }),
  listChatDrafts: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/drafts',
    access: 'chat:read',
    peopleOnly: true,
    params: OfChat,
    reply: Type.Object({ items: Type.Array(ChatDraft) }),
    refuses: [404],
    summary: 'The unsent drafts of a chat, newest first.',
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/whatsapp/conversations/:phone/draft',
    access: 'chat:reply',
    peopleOnly: true,
    params: OfChat,
    body: Type.Object(
      {
        text: Text,
        replyToMessageId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'The message of this chat that it answers.' }),
        ),
        device: Type.Optional(
          Type.String({ maxLength: 64, description: 'Comes back in the event: who saved it need not ask for it.' }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Done,
    refuses: [404, 409],
    summary: "Saves the caller's draft in a chat, which the team can see. Empty text deletes it.",
  }),
  proposeDraft: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/draft/propose',
    access: 'chat:reply',
    params: OfChat,
    body: Type.Object(
      {
        text: Type.String({
          minLength: 1,
          maxLength: draftMaxChars,
          pattern: '\\S',
          description: 'The text that is added.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      person: Type.Object({ id: Type.String(), name: Type.String() }, { description: 'Author of the draft.' }),
      text: Type.String({ description: 'The draft as it is now.' }),
    }),
    idempotent: true,
    refuses: [404, 409],
    summary:
      'Adds text to the draft of the caller, or of the member who made the key. Nothing is sent. Refused while that person is typing in it.',
  }),
  takeDraft: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/draft/take',
    access: 'chat:reply',
    peopleOnly: true,
    params: OfChat,
    body: Type.Object({ personId: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Type.Object({
      text: Type.String({ description: 'The caller’s draft as it is now.' }),
      replyTo: Type.Optional(DraftQuote),
    }),
    refuses: [404, 409],
    summary:
      "Takes over a colleague’s draft, appended to the caller's own. Refused while the colleague is typing in it.",
  }),
} as const
