import { type Static, Type } from 'typebox'
import { Activity } from '#shared/inbox/activity.ts'
import { ChatAddress, Conversation } from '#shared/inbox/conversations.ts'
import { Message } from '#shared/inbox/messages.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { ContactField, fieldValueMaxChars, maxContactFields } from './fields.ts'

export const contactNameMaxChars = 100
export const contactNoteMaxChars = 2000
/** Kinds of files in a chat's gallery. */
export const galleryKinds = ['pictures', 'documents', 'audio', 'links'] as const
export type GalleryKind = (typeof galleryKinds)[number]
export const galleryPerPage = 30
export const contactActivityPerPart = 20

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })

const ContactIdentifier = Type.Object({
  kind: Type.Enum(['phone', 'bsuid', 'username']),
  value: Type.String({ description: 'Digits, a business-scoped user id, or a username without `@`.' }),
  shown: Type.String({ description: 'The way people read it: a number in international format, or `@username`.' }),
  seenAt: Type.String({
    ...Timestamp,
    description: 'When WhatsApp last showed it; 1970 of one that was only written down here.',
  }),
})

const FilledField = Type.Object({
  ...ContactField.properties,
  value: Nullable(Type.String({ description: 'Of a number with a point, of a date `2026-11-23`; null: not known.' })),
})
export type FilledField = Static<typeof FilledField>

export const Contact = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'The name that the organization gave the contact; null: none.' })),
  profileName: Nullable(Type.String({ description: "The contact's name in WhatsApp, as last seen." })),
  identifiers: Type.Array(ContactIdentifier, {
    description: 'Everything that identifies the contact, former identifiers too; the last seen of each kind first.',
  }),
  note: Nullable(Type.String({ description: "The team's note about the contact; never sent." })),
  block: Nullable(
    Type.Object({ at: Timestamp, by: Type.String({ description: 'By name.' }) }, { description: 'Null: not blocked.' }),
  ),
  fields: Type.Array(FilledField, { description: 'Every field of the organization, with what is known.' }),
  createdAt: Timestamp,
  conversations: Type.Array(Conversation, {
    description: 'Theirs on each of our numbers, as far as the caller sees them; the last active first.',
  }),
})
export type Contact = Static<typeof Contact>

export const ContactActivity = Type.Object({
  id: Type.String({ description: 'Of the line in the thread: `around` leads to it.' }),
  at: Timestamp,
  chat: Type.String({ description: 'Address of the conversation in which it was done.' }),
  activity: Activity,
})
export type ContactActivity = Static<typeof ContactActivity>

const ContactChange = Type.Object(
  {
    name: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: contactNameMaxChars, pattern: '\\S' }), Type.Null()], {
        description: "Shown instead of the customer's own name; null: show their own name again.",
      }),
    ),
    note: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: contactNoteMaxChars, pattern: '\\S' }), Type.Null()], {
        description: 'A note for the team; null: none.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ minLength: 1, maxLength: 64 }),
            value: Type.Union([
              Type.String({ minLength: 1, maxLength: fieldValueMaxChars, pattern: '\\S' }),
              Type.Null(),
            ]),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: maxContactFields,
          description: 'Values by field id; null: no value. Other fields stay unchanged.',
        },
      ),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ContactChange = Static<typeof ContactChange>

/** The calls about the contact of one chat; a part of `contactsApi`. Tags and opt-outs are changed with the inbox's calls. */
export const chatContactCalls = {
  getContact: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/contact',
    access: 'chat:read',
    sameFor: 'scope',
    params: OfChat,
    reply: Contact,
    refuses: [404],
    summary: 'The contact of a chat: names, numbers and other identifiers, and their conversations.',
  }),
  listGallery: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/gallery',
    access: 'chat:read',
    sameFor: 'scope',
    params: OfChat,
    query: Type.Object(
      { kind: Type.Enum([...galleryKinds]), page: Type.Optional(PageNumber) },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      ...pageOf(Message).properties,
      kinds: Type.Array(Type.Enum(galleryKinds), {
        maxItems: galleryKinds.length,
        description: 'The kinds of which the chat has something.',
      }),
    }),
    refuses: [404],
    summary: 'Images and videos of a chat, or its documents, newest first.',
  }),
  listActivity: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/activity',
    access: 'chat:read',
    sameFor: 'scope',
    params: OfChat,
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({ pattern: '^[0-9]{1,13}-[0-9]{1,15}$', description: '`next` of the previous part.' }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({
      items: Type.Array(ContactActivity),
      next: Nullable(Type.String({ description: 'Value of `after` for the next part; null: this is the last one.' })),
    }),
    refuses: [404],
    summary: `The activity of the contact of a chat, in all of their conversations that the caller may see, newest first, ${contactActivityPerPart} at a time.`,
  }),
  changeContact: endpoint({
    method: 'PATCH',
    path: '/whatsapp/conversations/:phone/contact',
    access: 'chat:reply',
    params: OfChat,
    body: ContactChange,
    reply: Contact,
    refuses: [404],
    summary:
      'Changes the contact of a chat: the name that your organization uses, which WhatsApp never overwrites, the note, or the fields.',
  }),
  blockContact: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/block',
    access: 'member:manage',
    params: OfChat,
    reply: Done,
    refuses: [404],
    summary:
      'Blocks a contact. Their conversations stay archived, nobody is notified and no flow answers. Numbers to which they wrote within a day also block them at WhatsApp.',
  }),
  unblockContact: endpoint({
    method: 'DELETE',
    path: '/whatsapp/conversations/:phone/block',
    access: 'member:manage',
    params: OfChat,
    reply: Done,
    refuses: [404],
    summary: 'Unblocks a contact. Their next message brings the conversation back.',
  }),
} as const
