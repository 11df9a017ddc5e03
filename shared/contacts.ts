import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'
import { ChatAddress, Conversation } from './inbox.ts'
import { Nullable, Timestamp } from './list.ts'

export const contactNameMaxChars = 100

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })

const ContactIdentifier = Type.Object({
  kind: Type.Enum(['phone', 'bsuid', 'username']),
  value: Type.String({ description: 'Digits, a business-scoped user id, or a username without `@`.' }),
  shown: Type.String({ description: 'As people read it: a number in international format, `@username`.' }),
  seenAt: Timestamp,
})

export const Contact = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'What the organization calls them; null: nothing of its own.' })),
  profileName: Nullable(Type.String({ description: 'What they call themselves in WhatsApp, as last seen.' })),
  identifiers: Type.Array(ContactIdentifier, {
    description: 'All by which they are recognized, former ones too; the last seen of each kind first.',
  }),
  createdAt: Timestamp,
  conversations: Type.Array(Conversation, {
    description: 'Theirs on each of our numbers, as far as the caller sees them; the last active first.',
  }),
})
export type Contact = Static<typeof Contact>

/** Who a chat is with. Tags and marketing of a contact are changed by the inbox's calls. */
export const contactsApi = {
  getContact: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/contact',
    access: 'chat:read',
    sameFor: 'scope',
    params: OfChat,
    reply: Contact,
    refuses: [404],
    summary: 'The contact of a chat: names, everything they are recognized by, and their conversations.',
  }),
  changeContact: endpoint({
    method: 'PATCH',
    path: '/whatsapp/conversations/:phone/contact',
    access: 'chat:reply',
    params: OfChat,
    body: Type.Object(
      {
        name: Type.Union([Type.String({ minLength: 1, maxLength: contactNameMaxChars, pattern: '\\S' }), Type.Null()], {
          description: 'Shown instead of the one they gave themselves; null: theirs is shown again.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: Contact,
    refuses: [404],
    summary: 'Names the contact of a chat for the organization; WhatsApp never overwrites it.',
  }),
} as const
