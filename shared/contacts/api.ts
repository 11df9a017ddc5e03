import { type Static, Type } from 'typebox'
import { Activity } from '#shared/inbox/activity.ts'
import { ChatAddress, Conversation, searchMaxChars } from '#shared/inbox/conversations.ts'
import { Message } from '#shared/inbox/messages.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, PageNumber, pageOf, Timestamp } from '#shared/kernel/list.ts'
import { TagId } from '#shared/tags/api.ts'
import { ContactField, fieldValueMaxChars, maxContactFields } from './fields.ts'
import { SegmentId } from './segments.ts'

export const contactNameMaxChars = 100
export const contactNoteMaxChars = 2000
/** Kinds of files in a chat's gallery. */
export const galleryKinds = ['pictures', 'documents', 'audio', 'links'] as const
export type GalleryKind = (typeof galleryKinds)[number]
export const galleryPerPage = 30
export const contactActivityPerPart = 20
/** Orders of the list of contacts. */
export const contactSorts = ['newest', 'activity', 'name'] as const
export type ContactSort = (typeof contactSorts)[number]
/** A search that matches more contacts is listed newest first in any order. */
export const maxSortedMatches = 2000
export const contactsPerPage = 50
export const contactsPerPart = 1000
/** Contacts that are changed, or exported by id, in one call. */
export const maxContactsAtOnce = 100
/** The most characters of a field's value in a list. A column of a table shows no more. */
export const listedValueMaxChars = 80
/** Contacts that a person selects on one page, to change them part by part. */
export const maxSelectedContacts = 20_000

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

export const ListedContact = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'The name that the organization gave the contact; null: none.' })),
  profileName: Nullable(Type.String({ description: "The contact's name in WhatsApp, as last seen." })),
  createdAt: Timestamp,
  lastActivityAt: Timestamp,
  fields: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the field.' }),
      value: Type.String({ description: `Cut after ${listedValueMaxChars} characters.` }),
    }),
    { description: 'The fields of the organization that are known of the contact, in any order.' },
  ),
  conversation: Conversation,
})
export type ListedContact = Static<typeof ListedContact>

export const MatchingContact = Type.Object({
  id: Type.String(),
  conversationId: Type.String({ description: 'Their most recently active conversation that the caller may see.' }),
  phone: Type.String({ description: 'Digits; empty for a contact without a number.' }),
  optedOut: Type.Boolean(),
  tagIds: Type.Array(Type.String()),
})
export type MatchingContact = Static<typeof MatchingContact>

const contactFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: searchMaxChars,
      description: 'Part of a name, username or number, in any format.',
    }),
  ),
  tag: Type.Optional(TagId),
  optedOut: Type.Optional(
    Type.Boolean({ description: 'True: only contacts who want no marketing; false: only the others.' }),
  ),
  segment: Type.Optional(SegmentId),
}
/** The longest cursor: an id and the beginning of a name. */
const cursorMaxChars = 320
const ContactQuery = Type.Object(
  {
    ...contactFilters,
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: cursorMaxChars, description: '`next` of the previous part.' }),
    ),
  },
  { additionalProperties: false },
)
export type ContactQuery = Static<typeof ContactQuery>

const next = Nullable(Type.String({ description: 'Value of `after` for the next part; null: this is the last one.' }))

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

const contactIds = (description: string) =>
  Type.Array(Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' }), {
    minItems: 1,
    maxItems: maxContactsAtOnce,
    description,
  })

const ContactsChange = Type.Object(
  {
    ids: contactIds('Ids of contacts.'),
    field: Type.Optional(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 64 }),
          value: Type.Union([
            Type.String({ minLength: 1, maxLength: fieldValueMaxChars, pattern: '\\S' }),
            Type.Null(),
          ]),
        },
        { additionalProperties: false, description: 'The value that all of them get in one field; null: none.' },
      ),
    ),
    optedOut: Type.Optional(
      Type.Boolean({ description: 'True: they want no marketing. False: they may get it again.' }),
    ),
  },
  { additionalProperties: false },
)
export type ContactsChange = Static<typeof ContactsChange>

const OfExport = Type.Object(
  { ...ContactQuery.properties, ids: Type.Optional(contactIds('Only these contacts.')) },
  { additionalProperties: false },
)

/** Contacts. Tags and opt-outs of a contact are changed with the inbox's calls. */
export const contactsApi = {
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
    reply: Type.Object({ items: Type.Array(ContactActivity), next }),
    refuses: [404],
    summary: `The activity of the contact of a chat, in all of their conversations that the caller may see, newest first, ${contactActivityPerPart} at a time.`,
  }),
  listContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts',
    access: 'chat:read',
    sameFor: 'scope',
    exceptWith: ['segment'],
    query: Type.Object(
      {
        ...ContactQuery.properties,
        sort: Type.Optional(
          Type.Enum(contactSorts, {
            description: `\`newest\`: the last created first, the default · \`activity\`: the last active first · \`name\`: by name. A search that matches more than ${maxSortedMatches} contacts is listed newest first.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(ListedContact), next }),
    summary: `Contacts, ${contactsPerPage} at a time, each with its most recently active conversation.`,
  }),
  countContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/count',
    access: 'chat:read',
    query: Type.Object(contactFilters, { additionalProperties: false }),
    reply: Type.Object({
      count: Type.Integer({ minimum: 0 }),
      isMore: Type.Boolean({ description: 'True: there may be more, which were not counted.' }),
    }),
    summary: 'How many contacts the same filters list.',
  }),
  listMatching: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/matching',
    access: 'chat:reply',
    large: true,
    query: ContactQuery,
    reply: Type.Object({ items: Type.Array(MatchingContact), next }),
    summary: `The contacts that the same filters list, ${contactsPerPart} at a time and with little about each, to change all of them.`,
  }),
  exportContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/report',
    access: 'member:manage',
    large: true,
    query: OfExport,
    reply: Type.Object({
      csv: Type.String({ description: 'Lines, the newest first; the first part with the names of the columns.' }),
      next,
    }),
    summary: `The list as CSV, ${contactsPerPart} rows at a time.`,
  }),
  exportCards: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/cards',
    access: 'member:manage',
    large: true,
    query: OfExport,
    reply: Type.Object({
      vcard: Type.String({ description: 'vCards 3.0, the newest first: name, number, username and tags.' }),
      next,
    }),
    summary: `The found contacts as vCards, ${contactsPerPart} at a time.`,
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
  saveContact: endpoint({
    method: 'POST',
    path: '/whatsapp/contacts',
    access: 'chat:reply',
    body: Type.Object(
      {
        phone: Type.String({ minLength: 3, maxLength: 40, description: 'A phone number in any format.' }),
        name: Type.String({ minLength: 1, maxLength: contactNameMaxChars, pattern: '\\S' }),
      },
      { additionalProperties: false, examples: [{ phone: '+54 9 11 5555-0100', name: 'Bárbara Suárez' }] },
    ),
    reply: Type.Object({
      phone: Type.String({ description: "Address of the contact's chat." }),
      created: Type.Boolean({ description: 'False: they were known, and have the name now.' }),
    }),
    idempotent: true,
    refuses: [404, 409],
    summary: 'Creates a contact with a name, to write to later.',
  }),
  changeContacts: endpoint({
    method: 'POST',
    path: '/whatsapp/contacts/changes',
    access: 'chat:reply',
    body: ContactsChange,
    reply: Type.Object({
      changed: Type.Integer({ description: 'How many are different now.' }),
      missing: Type.Array(Type.String(), { description: 'Ids that are not there; the others were changed.' }),
      kept: Type.Array(Type.String(), {
        description: 'Ids of contacts who stay opted out, because they chose so in WhatsApp.',
      }),
    }),
    summary: `Sets a field of up to ${maxContactsAtOnce} contacts, or whether they want marketing.`,
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
} as const
