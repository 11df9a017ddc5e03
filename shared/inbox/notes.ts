import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { maxMentions, noteMaxChars } from '#shared/kernel/limits.ts'
import { PageNumber, pageOf } from '#shared/kernel/list.ts'
import { ChatAddress } from './conversations.ts'
import { Message } from './messages.ts'

export const notesPerPage = 30
/** People offered for mentions at most. */
export const maxMentionable = 500

const Id = Type.String({ minLength: 1, maxLength: 64 })
const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })
const OfNote = Type.Object({ phone: ChatAddress, noteId: Id }, { additionalProperties: false })

const NoteInput = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: noteMaxChars, pattern: '\\S', description: 'Text of the note.' }),
    mentions: Type.Optional(
      Type.Array(Id, {
        maxItems: maxMentions,
        description: 'Ids of the people it is for: each is notified, once. Only who may see the conversation.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NoteInput = Static<typeof NoteInput>

const Mentionable = Type.Object({ id: Type.String(), name: Type.String() })
export type Mentionable = Static<typeof Mentionable>

/** Internal notes in a conversation, never sent. A note is a message of the thread with the type `note`. */
export const notesApi = {
  listNotes: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/notes',
    access: 'chat:read',
    sameFor: 'scope',
    params: OfChat,
    query: Type.Object({ page: Type.Optional(PageNumber) }, { additionalProperties: false }),
    reply: pageOf(Message),
    refuses: [404],
    summary: 'The private notes of a conversation, newest first.',
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/notes',
    access: 'note:write',
    params: OfChat,
    body: NoteInput,
    reply: Message,
    status: 201,
    idempotent: true,
    refuses: [404],
    summary: 'Writes a private note into a conversation; it is never sent.',
  }),
  changeNote: endpoint({
    method: 'PATCH',
    path: '/whatsapp/conversations/:phone/notes/:noteId',
    access: 'note:write',
    params: OfNote,
    body: NoteInput,
    reply: Message,
    refuses: [404],
    summary: "Changes one of the caller's notes. People who are newly mentioned are notified.",
  }),
  deleteNote: endpoint({
    method: 'DELETE',
    path: '/whatsapp/conversations/:phone/notes/:noteId',
    access: 'note:write',
    params: OfNote,
    reply: Message,
    refuses: [404],
    summary: "Deletes a note: the caller's own, or any as owner or admin. A mark of the deleted note stays visible.",
  }),
  listMentionable: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/mentionable',
    access: 'note:write',
    params: OfChat,
    reply: Type.Object({ items: Type.Array(Mentionable) }),
    refuses: [404],
    summary: 'Who can be mentioned in a note of this conversation, by name: the members who see it.',
  }),
} as const
